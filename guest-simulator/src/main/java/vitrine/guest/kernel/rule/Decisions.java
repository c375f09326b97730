package vitrine.guest.kernel.rule;

/// Hears of each decision that the guest's kernel takes: this is what people come to look at.
///
/// The rules have names, so that a trace, a test and a lecture can speak of the same one.
@FunctionalInterface
public interface Decisions {

    /// Nobody listens.
    Decisions UNHEARD = (_, _, _) -> {};

    /// The kernel took a decision.
    ///
    /// @param rule the rule's name
    /// @param inputs what it looked at
    /// @param outcome what it will do
    void decided(String rule, String inputs, String outcome);

    /// Applies a rule, and tells of it.
    default <T> T by(Rule<T> rule) {
        T outcome = rule.outcome();
        if (this != UNHEARD) {
            decided(rule.title(), rule.inputs(), Words.of(outcome));
        }
        return outcome;
    }
}
