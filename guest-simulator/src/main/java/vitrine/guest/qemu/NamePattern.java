package vitrine.guest.qemu;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// The value of an option that is a regular expression, for names in upper or lower case.
public final class NamePattern implements ITypeConverter<Pattern> {

    @Override
    public Pattern convert(String regex) {
        try {
            return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException e) {
            throw new TypeConversionException("no regular expression: " + e.getDescription());
        }
    }
}
