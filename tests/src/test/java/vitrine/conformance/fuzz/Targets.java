package vitrine.conformance.fuzz;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/// What there is to be fuzzed.
enum Targets {
    /// A session after INIT, and a share.
    REQUESTS("what a guest asks for, with a real share", RequestTarget::new),
    /// The memory that a ring and its descriptors lie in.
    RINGS("what a guest writes into a ring", RingTarget::new),
    /// A back end, through a socket.
    MESSAGES("what a front end says and sends along", MessageTarget::new),
    /// The records of the requests.
    RECORDS("a request to its value and back", RecordTarget::new),
    /// The command line of the daemon.
    OPTIONS("the command line, old options and new ones", OptionTarget::new),
    /// The rules that rename extended attributes.
    XATTRMAP("rules for names of extended attributes", XattrMapTarget::new),
    /// The reader of capture files.
    CAPTURES("a capture file", CaptureTarget::new),
    /// One after the other, as the first byte says.
    ALL("all of them", EveryTarget::new);

    final String about;
    private final Maker maker;

    private interface Maker {
        FuzzTarget make() throws Exception;
    }

    Targets(String about, Maker maker) {
        this.about = about;
        this.maker = maker;
    }

    /// As it is written on a command line and in file names.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    FuzzTarget make() {
        try {
            return maker.make();
        } catch (Exception e) {
            throw new IllegalStateException("cannot begin with " + this, e);
        }
    }

    /// @throws TypeConversionException if there is no such target
    static Targets of(String name) {
        for (Targets target : values()) {
            if (target.toString().equals(name)) {
                return target;
            }
        }
        throw new TypeConversionException("there is no target " + name + " among " + List.of(values()));
    }
}
