package vitrine.visualizer.window;

import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javafx.application.Platform;
import vitrine.visualizer.query.Query;
import vitrine.visualizer.query.QueryException;
import vitrine.visualizer.timeline.Run;

/// What the filter lets through, found out in the background: the last question wins.
final class Matches {

    private record Asked(String question, Run run) {}

    private final Desk desk;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("filter").factory());
    private Asked asked;
    private Optional<BitSet> events = Optional.empty(); // empty: everything
    private Optional<BitSet> stories = Optional.empty();
    private String problem = "";

    Matches(Desk desk) {
        this.desk = desk;
        desk.watch(this::ask);
    }

    /// What is wrong with the filter; empty if nothing is.
    String problem() {
        return problem;
    }

    /// The stories that are to be shown; empty for all. The same object as long as it is the same.
    Optional<BitSet> stories() {
        return stories;
    }

    /// The next event after, or the last before, the one that has just happened; -1 for none.
    int event(int position, boolean forward) {
        if (events.isEmpty()) {
            return -1;
        }
        int present = position - 1;
        return forward
                ? events.get().nextSetBit(present + 1)
                : present <= 0 ? -1 : events.get().previousSetBit(present - 1);
    }

    private void ask() {
        Asked now = new Asked(desk.session().filter(), desk.run().orElse(null));
        if (now.equals(asked)) {
            return;
        }
        asked = now;
        if (now.run() == null || now.question().isBlank()) {
            found(Optional.empty(), Optional.empty(), "");
            return;
        }
        worker.execute(() -> {
            try {
                BitSet bits = Query.filter(now.question(), now.run());
                BitSet owners = owners(bits, now.run());
                Platform.runLater(() -> foundFor(now, Optional.of(bits), Optional.of(owners), ""));
            } catch (QueryException e) {
                Platform.runLater(() -> foundFor(now, Optional.empty(), Optional.empty(), e.getMessage()));
            }
        });
    }

    private static BitSet owners(BitSet events, Run run) {
        BitSet owners = new BitSet();
        events.stream().map(run.stories()::numberOf).filter(owner -> owner >= 0).forEach(owners::set);
        return owners;
    }

    private void foundFor(Asked question, Optional<BitSet> bits, Optional<BitSet> owners, String wrong) {
        if (question.equals(asked)) {
            found(bits, owners, wrong);
            desk.matching(bits);
        }
    }

    private void found(Optional<BitSet> bits, Optional<BitSet> owners, String wrong) {
        events = bits;
        stories = owners;
        problem = wrong;
        if (bits.isEmpty()) {
            desk.matchAll();
        }
    }
}
