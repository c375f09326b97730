package vitrine.daemon;

import java.util.Locale;
import picocli.CommandLine.ParseResult;
import vitrine.dax.DaxPolicy;
import vitrine.dax.Window;

/// The options about the DAX window.
///
/// @param policy for which files; [DaxPolicy.Never] if there is to be no window
/// @param window how large it is, in bytes
record DaxOptions(DaxPolicy policy, long window) {

    private static final String USUAL_WINDOW = "128M";
    private static final String SIZE = "size=";

    /// What the command line says.
    ///
    /// @throws IllegalArgumentException saying what is wrong with it
    static DaxOptions of(ParseResult given) {
        boolean cached = isOn(given.matchedOptionValue("--dax-flag-cache", "on"));
        DaxPolicy policy = policy(given.matchedOptionValue("--dax", "never"), cached);
        boolean never = policy instanceof DaxPolicy.Never;
        require(!never || !given.hasMatchedOption("--dax-window"), "--dax-window: there is a window only with --dax");
        require(
                policy instanceof DaxPolicy.Marked || !given.hasMatchedOption("--dax-flag-cache"),
                "--dax-flag-cache: flags are looked at only with --dax=attr");
        require(
                never || !given.hasMatchedOption("--readonly"),
                "--dax with --readonly: a guest can write to whatever is in its window");
        return new DaxOptions(policy, window(given.matchedOptionValue("--dax-window", USUAL_WINDOW)));
    }

    boolean hasWindow() {
        return !(policy instanceof DaxPolicy.Never);
    }

    private static DaxPolicy policy(String text, boolean cached) {
        String word = text.toLowerCase(Locale.ROOT);
        if (word.startsWith(SIZE)) {
            return new DaxPolicy.Large(bytes("--dax=size", text.substring(SIZE.length())));
        }
        return switch (word) {
            case "never" -> new DaxPolicy.Never();
            case "always" -> new DaxPolicy.Always();
            case "attr" -> new DaxPolicy.Marked(cached);
            case "size" -> new DaxPolicy.Large(DaxPolicy.Large.USUAL);
            default -> throw new IllegalArgumentException("--dax=" + text + ": never, always, attr, size or size=N");
        };
    }

    private static long window(String text) {
        long size = bytes("--dax-window", text);
        require(
                Long.bitCount(size) == 1 && size >= Window.SMALLEST && size <= Window.LARGEST,
                "--dax-window=" + text + ": a power of two, for else QEMU ends at its start; at least 4M, which is"
                        + " twice Linux' unit, and at most 512M, for QEMU ends with more than some 500 pieces");
        return size;
    }

    /// A number, and perhaps one of K, M, G behind it.
    private static long bytes(String option, String text) {
        String number = text.isEmpty() ? text : text.substring(0, text.length() - 1);
        int shift = switch (text.isEmpty() ? ' ' : Character.toUpperCase(text.charAt(text.length() - 1))) {
            case 'K' -> 10;
            case 'M' -> 20;
            case 'G' -> 30;
            default -> {
                number = text;
                yield 0;
            }
        };
        try {
            return Math.multiplyExact(Long.parseUnsignedLong(number), 1L << shift);
        } catch (NumberFormatException | ArithmeticException _) {
            throw new IllegalArgumentException(option + "=" + text + ": a number of bytes, such as 4096, 64K or 128M");
        }
    }

    private static boolean isOn(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new IllegalArgumentException("--dax-flag-cache=" + text + ": on or off");
        };
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
