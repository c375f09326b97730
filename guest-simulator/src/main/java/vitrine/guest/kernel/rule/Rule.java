package vitrine.guest.kernel.rule;

/// A rule by which the guest's kernel decides: a record of what it looks at, and what comes of it.
///
/// A rule asks nobody and changes nothing. Who wants to know what Linux would do can make one by
/// hand.
///
/// @param <T> what can come of it
public interface Rule<T> {

    /// The rule's name, as a trace shows it.
    String title();

    /// What follows from the inputs.
    T outcome();

    /// The inputs in words.
    default String inputs() {
        return Words.ofComponents(this);
    }
}
