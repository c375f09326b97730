package vitrine.visualizer.query;

/// What a number counts.
public enum Unit {
    /// Things.
    NONE,
    /// Nanoseconds.
    TIME,
    /// Bytes.
    BYTES;

    /// Of a product, or of a quotient: the same by the same has none.
    static Unit of(String sign, Unit left, Unit right) {
        if (sign.equals("/") && left == right) {
            return NONE;
        }
        return left == NONE && !sign.equals("/") ? right : left;
    }
}
