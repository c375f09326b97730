package vitrine.visualizer.paint;

/// A rectangle, its upper left corner first; y grows downwards.
public record Box(double x, double y, double width, double height) {

    /// The x of its right edge.
    public double right() {
        return x + width;
    }

    /// The y of its lower edge.
    public double bottom() {
        return y + height;
    }

    /// The x of its middle.
    public double middleX() {
        return x + width / 2;
    }

    /// The y of its middle.
    public double middleY() {
        return y + height / 2;
    }

    /// The same without a margin all around; never less than empty.
    public Box inset(double margin) {
        return inset(margin, margin);
    }

    /// The same without a margin left and right, and another above and below.
    public Box inset(double horizontal, double vertical) {
        return new Box(
                x + horizontal, y + vertical, Math.max(0, width - 2 * horizontal), Math.max(0, height - 2 * vertical));
    }

    /// Its upper part.
    public Box top(double upper) {
        return new Box(x, y, width, Math.min(upper, height));
    }

    /// What is left of it below its upper part.
    public Box below(double upper) {
        return new Box(x, y + Math.min(upper, height), width, Math.max(0, height - upper));
    }

    /// Its left part.
    public Box left(double part) {
        return new Box(x, y, Math.min(part, width), height);
    }

    /// What is right of its left part.
    public Box rightOf(double part) {
        return new Box(x + Math.min(part, width), y, Math.max(0, width - part), height);
    }

    /// Whether a point lies in it; its right and lower edges do not.
    public boolean contains(double pointX, double pointY) {
        return pointX >= x && pointX < right() && pointY >= y && pointY < bottom();
    }

    /// Whether all of another lies in it, up to a rounding error.
    public boolean contains(Box other) {
        double slack = 0.01;
        return other.x >= x - slack
                && other.y >= y - slack
                && other.right() <= right() + slack
                && other.bottom() <= bottom() + slack;
    }
}
