package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import vitrine.conformance.trace.AnyEvent;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.export.Csv;
import vitrine.visualizer.export.Mermaid;
import vitrine.visualizer.export.Perfetto;
import vitrine.visualizer.export.Tables;
import vitrine.visualizer.paint.RecordingPainter;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.Views;

/// A capture file is somebody's claim: whatever is in it, there is a picture of it.
class AnyRunTest {

    private static final int BUDGET = 20_000;

    @Provide
    Arbitrary<List<TraceEvent>> events() {
        return Arbitraries.oneOf(AnyEvent.any(), AnyEvent.related()).list().ofMaxSize(60);
    }

    @Property(tries = 60)
    void anyEventsAreAPictureInEveryView(@ForAll("events") List<TraceEvent> events) {
        for (String size : List.of("8", "0", "-3", "many")) {
            Run run = Run.of(events, Map.of("queue-size", size, "window", size));
            for (int position = 0; position <= run.size(); position += 7) {
                Session session = Session.START.at(position);
                for (View view : Views.ALL) {
                    RecordingPainter recorder = new RecordingPainter();

                    view.paint(new Subject(run, Optional.of(run), session, 700, 400), recorder);

                    assertTrue(recorder.calls() <= BUDGET, view.name());
                }
            }
        }
    }

    @Property(tries = 60)
    void anyEventsCanBeExported(@ForAll("events") List<TraceEvent> events) throws IOException {
        Run run = Run.of(events, Map.of());
        StringBuilder out = new StringBuilder();

        Csv.write(run, out);
        Perfetto.write(run, out);
        Mermaid.write(run, run.stories().all(), out);
        Tables.markdown(run, run).forEach(out::append);

        assertTrue(out.length() > 0);
    }
}
