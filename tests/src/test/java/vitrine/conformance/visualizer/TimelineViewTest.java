package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.RawBytes;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Outcome;
import vitrine.trace.TraceEvent.Sender;
import vitrine.visualizer.paint.RecordingPainter;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.timeline.Session.Zoom;
import vitrine.visualizer.view.Subject;
import vitrine.visualizer.view.TimelineView;
import vitrine.visualizer.view.View;
import vitrine.visualizer.view.Views;

/// A hundred thousand requests are no more strokes than a screen has columns.
class TimelineViewTest {

    private static final int REQUESTS = 100_000;
    private static final int BUDGET = 20_000;
    private static final Run LONG = Run.of(events(), Map.of());

    /// Seen to catch: spans that are not merged, 302,117 strokes.
    @Test
    void timelineKeepsTheBudgetOfStrokesAtAnyZoom() {
        long begin = LONG.begin();
        long span = LONG.end() - begin;
        for (double share : new double[] {1, 0.5, 0.1, 0.01, 0.001, 0.0001, 0.00001}) {
            for (double middle : new double[] {0.0, 0.3, 0.999}) {
                long from = begin + (long) (middle * span);
                Session session =
                        Session.START.at(LONG.size() / 2).zoom(new Zoom(from, from + (long) (share * span) + 1));
                RecordingPainter recorder = new RecordingPainter();

                new TimelineView().paint(Subject.of(LONG, session, 3840, 800), recorder);

                assertTrue(recorder.calls() <= BUDGET, share + ": " + recorder.calls());
            }
        }
    }

    @Test
    void everyOtherViewKeepsTheBudgetToo() {
        Session session = Session.START.at(LONG.size() / 2);
        for (View view : Views.ALL) {
            RecordingPainter recorder = new RecordingPainter();

            view.paint(new Subject(LONG, Optional.of(LONG), session, 3840, 2000), recorder);

            assertTrue(recorder.calls() <= BUDGET, view.name() + ": " + recorder.calls());
        }
    }

    /// Six rows of requests at once, some of which fail.
    private static List<TraceEvent> events() {
        List<TraceEvent> events = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            long start = 1_000L * i;
            Keys keys = new Keys(1, i % 64, i + 1, i / 3 + 1);
            String opcode = i % 3 == 0 ? "READ" : "WRITE";
            events.add(new TraceEvent.ChainPopped(at(start, Actor.DAEMON, keys), 80, 4096, 4));
            events.add(new TraceEvent.RequestDecoded(
                    at(start + 200, Actor.DAEMON, Keys.ofUnique(i + 1)),
                    opcode,
                    new Sender(2, 0, 0, 1),
                    List.of(),
                    RawBytes.EMPTY));
            long host = start + 400 + i * 7919L % 5_000;
            events.add(new TraceEvent.HostCall(
                    at(host, Actor.HOST, Keys.ofUnique(i + 1)), "preadv2", "", new Outcome(4096, 0, 300)));
            int error = i % 97 == 0 ? 5 : 0;
            events.add(new TraceEvent.ReplyGiven(
                    at(host + 100, Actor.DAEMON, Keys.ofUnique(i + 1)), error, 0, List.of(), RawBytes.EMPTY));
            events.add(new TraceEvent.ChainPushed(at(host + 200, Actor.DAEMON, keys), 16));
        }
        return events;
    }

    private static Stamp at(long nanos, Actor actor, Keys keys) {
        return new Stamp(nanos, actor, "queue 1", keys);
    }
}
