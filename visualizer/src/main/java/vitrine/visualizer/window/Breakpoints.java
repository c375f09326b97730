package vitrine.visualizer.window;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;

/// What to stop at: events like one that was pointed out.
final class Breakpoints {

    /// @param name of a request, a system call, a rule; empty for events without one
    private record Like(Kind kind, String name) {

        static Like event(Run run, int n) {
            return new Like(run.kind(n), run.name(n));
        }

        String text() {
            String what = kind.name().toLowerCase().replace('_', ' ');
            return name.isEmpty() ? what : name + " (" + what + ")";
        }
    }

    private final Desk desk;
    private final Set<Like> likes = new LinkedHashSet<>();

    Breakpoints(Desk desk) {
        this.desk = desk;
    }

    /// Stops at events like the present one from now on, or no more; says which.
    Optional<String> toggle() {
        return desk.moment().filter(moment -> moment.position() > 0).map(moment -> {
            Like like = Like.event(moment.run(), moment.position() - 1);
            boolean isNew = likes.add(like);
            if (!isNew) {
                likes.remove(like);
            }
            return (isNew ? "Stops at each " : "Stops no more at ") + like.text();
        });
    }

    boolean isAt(int n) {
        return !likes.isEmpty()
                && desk.run().map(run -> likes.contains(Like.event(run, n))).orElse(false);
    }

    /// The position after the next event to stop at; the end if there is none.
    int next() {
        return desk.moment()
                .map(moment -> {
                    int n = moment.position();
                    while (n < moment.run().size() && !isAt(n)) {
                        n++;
                    }
                    return Math.min(n + 1, moment.run().size());
                })
                .orElse(0);
    }

    /// All of them in a line; empty if there are none.
    String text() {
        return likes.stream().map(Like::text).collect(Collectors.joining(", "));
    }
}
