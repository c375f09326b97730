package vitrine.guest.program;

import java.util.List;

/// What a step came to: seen, or expected.
///
/// @param error the name of the errno that the program got; empty for success
/// @param requests in [Notation], in the order in which they came, but FORGET last: it has a queue
///     of its own, so its place among the others is chance
public record Seen(String error, List<String> requests) {

    /// Copies the list.
    public Seen {
        requests = List.copyOf(requests);
    }
}
