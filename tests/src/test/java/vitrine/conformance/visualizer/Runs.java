package vitrine.conformance.visualizer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import vitrine.conformance.rules.Needs;
import vitrine.trace.Actor;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.ScenarioRun;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.timeline.Anchors;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;

/// The runs of the gallery, each run once for all tests.
final class Runs {

    private static final Map<String, Run> DONE = new ConcurrentHashMap<>();

    private Runs() {}

    static Run of(String scenario) {
        Needs.root();
        return DONE.computeIfAbsent(scenario, name -> {
            try {
                return ScenarioRun.of(Gallery.named(name));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /// As much of it as the daemon alone would have noted.
    static Run asItsDaemonSawIt(String scenario) {
        Run all = of(scenario);
        return Run.of(
                IntStream.range(0, all.size())
                        .mapToObj(all::event)
                        .filter(event ->
                                event.at().actor() == Actor.DAEMON || event.at().actor() == Actor.HOST)
                        .filter(event -> !(event instanceof TraceEvent.RingAccess))
                        .toList(),
                Map.of());
    }

    /// A moment in a scenario, in the smallest window.
    static Subject at(String scenario, String anchor) {
        Run run = of(scenario);
        int position = Anchors.find(run, anchor).orElseThrow();
        return Subject.of(run, Session.START.at(position), 960, 600);
    }
}
