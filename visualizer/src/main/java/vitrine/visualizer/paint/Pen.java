package vitrine.visualizer.paint;

/// How a line looks.
public record Pen(Token token, double width, boolean dashed) {

    /// A plain line.
    public static Pen of(Token token, double width) {
        return new Pen(token, width, false);
    }

    /// The same in dashes.
    public Pen inDashes() {
        return new Pen(token, width, true);
    }
}
