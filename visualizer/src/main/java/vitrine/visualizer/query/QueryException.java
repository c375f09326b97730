package vitrine.visualizer.query;

/// A question that cannot be understood: what is wrong, and where.
public final class QueryException extends Exception {

    private static final long serialVersionUID = 1;

    private final int column;

    /// @param column counts from 0
    QueryException(String what, int column) {
        super(what, null, false, false);
        this.column = column;
    }

    /// Where it is wrong, from 0.
    public int column() {
        return column;
    }

    /// The question, an arrow below it, and what is wrong there.
    public String pointingInto(String question) {
        return question + System.lineSeparator() + " ".repeat(column) + "^ " + getMessage();
    }
}
