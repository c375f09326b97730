package vitrine.visualizer.paint;

/// How text is set.
///
/// @param size of the letters, in units of the picture
/// @param mono whether all letters are as wide as each other: for what comes from the wire
/// @param bold whether it is heavy
/// @param align where the given point is
public record Type(double size, boolean mono, boolean bold, Align align) {

    /// Where a text lies, seen from the point that is given for it.
    public enum Align {
        /// It begins there.
        LEFT,
        /// Its middle is there.
        CENTRE,
        /// It ends there.
        RIGHT
    }

    /// Plain text.
    public static Type plain(double size) {
        return new Type(size, false, false, Align.LEFT);
    }

    /// Text from the wire.
    public static Type mono(double size) {
        return new Type(size, true, false, Align.LEFT);
    }

    /// The same, heavy.
    public Type heavy() {
        return new Type(size, mono, true, align);
    }

    /// The same, centred.
    public Type centred() {
        return new Type(size, mono, bold, Align.CENTRE);
    }

    /// The same, ending at its point.
    public Type toTheRight() {
        return new Type(size, mono, bold, Align.RIGHT);
    }

    /// Where a text of this width begins.
    public double start(double x, double width) {
        return switch (align) {
            case LEFT -> x;
            case CENTRE -> x - width / 2;
            case RIGHT -> x - width;
        };
    }
}
