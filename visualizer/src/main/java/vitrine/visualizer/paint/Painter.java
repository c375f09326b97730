package vitrine.visualizer.paint;

/// What views draw through.
///
/// Six verbs, so that a back end is a page of code. Coordinates are those of the view; the unit is
/// a pixel at scale 1.
public interface Painter {

    /// A rectangle.
    void rect(Box box, Fill fill);

    /// Slanted lines in a rectangle: for waiting, and whatever colour alone must not say.
    void hatch(Box box, Token token);

    /// A straight line.
    void line(double fromX, double fromY, double toX, double toY, Pen pen);

    /// The head of an arrow, its tip at a point.
    ///
    /// @param degrees where it points: 0 to the right, 90 downwards
    void arrowHead(double x, double y, double degrees, double size, Token token);

    /// A line of text.
    ///
    /// @param x see [Type.Align]
    /// @param y of the base line
    void text(String text, double x, double y, Type type, Token token);

    /// A named part of the picture, and what is drawn for it. Parts may lie in parts.
    void part(Part part, Runnable content);

    /// How wide a text is; the same for all back ends.
    default double width(String text, Type type) {
        return Typeface.of(type).width(text, type.size());
    }
}
