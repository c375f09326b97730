package vitrine.visualizer.query;

/// A word of a question.
///
/// @param text as written; of a string, what is between the quotes
/// @param number of a number, with its unit: nanoseconds or bytes
/// @param column where it begins
record Lexeme(Kind kind, String text, double number, int column) {

    enum Kind {
        NAME,
        NUMBER,
        TEXT,
        SIGN,
        END
    }

    boolean is(String sign) {
        return kind == Kind.SIGN && text.equals(sign);
    }

    /// How an error speaks of it.
    String shown() {
        return kind == Kind.END ? "the end" : "'" + text + "'";
    }
}
