package vitrine.visualizer.paint;

/// How a rectangle looks: a body, an edge, round corners.
///
/// @param body null for none
/// @param edge null for none
/// @param edgeWidth of the edge, half of it inside
/// @param radius of the corners
/// @param dashed whether the edge is dashed: for what is absent
public record Fill(Token body, Token edge, double edgeWidth, double radius, boolean dashed) {

    /// A body and nothing else.
    public static Fill of(Token body) {
        return new Fill(body, null, 0, 0, false);
    }

    /// An edge and nothing else.
    public static Fill edge(Token edge) {
        return new Fill(null, edge, 1, 0, false);
    }

    /// The same with an edge.
    public Fill edged(Token token, double width) {
        return new Fill(body, token, width, radius, dashed);
    }

    /// The same with round corners.
    public Fill rounded(double corner) {
        return new Fill(body, edge, edgeWidth, corner, dashed);
    }

    /// The same with its edge dashed.
    public Fill inDashes() {
        return new Fill(body, edge, edgeWidth, radius, true);
    }
}
