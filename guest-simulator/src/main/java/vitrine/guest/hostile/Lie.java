package vitrine.guest.hostile;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// Something that no honest guest does, and what should come of it.
///
/// @param group what it is about
/// @param claim in a few words, what the guest does
/// @param right the outcome of a daemon that believes nothing and goes on, see [Outcome#toString]
/// @param telling does it
public record Lie(String group, String claim, String right, Telling telling) {

    /// How a lie is told.
    public interface Telling {
        /// Tells it within a session, and says what came of it.
        Outcome to(Session session);
    }

    /// One lie told with each of these values.
    static <T> Telling each(List<T> values, BiFunction<Session, T, Outcome> telling) {
        return session -> Outcome.ofAll(values.stream().map(value -> telling.apply(session, value)));
    }

    /// All there are, group by group.
    ///
    /// @param tries how many requests to change at random
    /// @param seed which bytes of them, and to what
    public static List<Lie> all(int tries, long seed) {
        List<Lie> chance = List.of(RandomLies.of(tries, seed));
        return Stream.of(
                        RequestLies.all(),
                        NumberLies.all(),
                        ChainLies.all(),
                        RingLies.all(),
                        FrontendLies.all(),
                        chance)
                .flatMap(List::stream)
                .toList();
    }
}
