package vitrine.visualizer.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Between;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;

/// Two places in a run, and what lies between them.
final class Markers {

    private Markers() {}

    /// The same with a marker at the present moment; the older of two goes.
    static Session set(Session now) {
        List<Integer> markers = new ArrayList<>(now.markers());
        markers.remove((Integer) now.position());
        markers.add(now.position());
        return now.markers(markers.subList(Math.max(0, markers.size() - 2), markers.size()));
    }

    /// What happened between the two, as a sentence; empty unless there are two.
    static Optional<String> between(Run run, Session now) {
        if (now.markers().size() < 2) {
            return Optional.empty();
        }
        Between between =
                Between.of(run, now.markers().getFirst(), now.markers().getLast());
        boolean isModel = "model".equals(run.about().get("time"));
        return Optional.of("A to B: " + (isModel ? "model " : "measured ") + Wording.time(between.nanos()) + ", "
                + between.requests() + " requests, " + (run.isOfADaemon() ? "" : between.kicks() + " kicks, ")
                + between.hostCalls()
                + " host calls, " + between.bytes() + " bytes");
    }
}
