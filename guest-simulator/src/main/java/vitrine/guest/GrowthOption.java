package vitrine.guest;

import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import vitrine.guest.kernel.dax.ExtendingWrite;

/// The option that says how a file in the DAX window gets longer.
public final class GrowthOption {

    private static final Map<String, ExtendingWrite> WAYS = Map.of(
            "write", ExtendingWrite.WRITE,
            "split", ExtendingWrite.SPLIT,
            "fallocate", ExtendingWrite.FALLOCATE_FIRST,
            "truncate", ExtendingWrite.TRUNCATE_FIRST);

    @Option(
            names = "--extending-write",
            paramLabel = "WAY",
            converter = Way.class,
            description = "with --dax, what a write does that ends behind the end of the file: write, all of it is a"
                    + " WRITE, as in Linux; split, only what is behind the end; fallocate or truncate, the file is made"
                    + " longer first, as prototypes of 2018 and 2019 did (default: write)")
    private ExtendingWrite way;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /// One of them by its name.
    static final class Way implements ITypeConverter<ExtendingWrite> {

        @Override
        public ExtendingWrite convert(String name) {
            ExtendingWrite way = WAYS.get(name.toLowerCase(Locale.ROOT));
            if (way == null) {
                throw new TypeConversionException(name + ": write, split, fallocate or truncate");
            }
            return way;
        }
    }

    /// Which it is.
    ///
    /// @param dax whether there is a window
    /// @throws ParameterException if there is none, and a way was asked for
    public ExtendingWrite of(boolean dax) {
        if (way != null && !dax) {
            throw new ParameterException(command.commandLine(), "--extending-write: takes --dax");
        }
        return way == null ? ExtendingWrite.WRITE : way;
    }

    /// Whether it is another than that of Linux.
    public boolean isChanged() {
        return way != null && way != ExtendingWrite.WRITE;
    }

    /// `, extending writes: fallocate first`, or nothing.
    public String changes() {
        return isChanged()
                ? ", extending writes: " + way.name().toLowerCase(Locale.ROOT).replace('_', ' ')
                : "";
    }
}
