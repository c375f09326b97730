package vitrine.visualizer.query;

import java.util.Optional;

/// A question, understood.
sealed interface Node {

    /// Where it begins.
    int column();

    /// A number.
    record Number(double value, int column) implements Node {}

    /// A text: in quotes, or a word that names no field, such as WRITE.
    ///
    /// @param quoted whether it was in quotes
    record Text(String value, boolean quoted, int column) implements Node {}

    /// A field of requests or of events.
    record Named(Field field, int column) implements Node {}

    /// `within(syscall 3)`, `within(request 2)`.
    record Within(boolean request, long number, int column) implements Node {}

    /// Two values compared.
    record Compared(String sign, Node left, Node right, int column) implements Node {}

    /// `&&` or `||`.
    record Joined(boolean and, Node left, Node right, int column) implements Node {}

    /// `!`.
    record Not(Node inner, int column) implements Node {}

    /// `+`, `-`, `*` or `/` of numbers.
    record Computed(String sign, Node left, Node right, int column) implements Node {}

    /// `count`, `sum`, `max` and their like.
    ///
    /// @param what a condition for `count`, a field for the others
    /// @param where of the others: only for those
    record Aggregate(String function, Node what, Optional<Node> where, int column) implements Node {}
}
