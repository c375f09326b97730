package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.RawBytes;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Outcome;
import vitrine.trace.TraceEvent.Sender;
import vitrine.visualizer.paint.RecordingPainter;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.Pyramid.Many;
import vitrine.visualizer.timeline.Pyramid.Sight;
import vitrine.visualizer.timeline.Pyramid.Visitor;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.RunBuilder;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.timeline.Session.Zoom;
import vitrine.visualizer.timeline.Spans;
import vitrine.visualizer.view.TimelineView;
import vitrine.visualizer.view.Views;

/// A hundred thousand requests, and a million, are no more strokes than a screen has columns.
class TimelineViewTest {

    private static final int REQUESTS = 100_000;
    private static final int BUDGET = 20_000;
    private static final Run LONG = run(REQUESTS);

    /// Seen to catch: spans that are not merged, 302,117 strokes.
    @Test
    void timelineKeepsTheBudgetOfStrokesAtAnyZoom() {
        assertWithinBudget(LONG);
    }

    private static void assertWithinBudget(Run run) {
        long begin = run.begin();
        long span = run.end() - begin;
        for (double share : new double[] {1, 0.5, 0.1, 0.01, 0.001, 0.0001, 0.00001}) {
            for (double middle : new double[] {0.0, 0.3, 0.999}) {
                long from = begin + (long) (middle * span);
                Session session =
                        Session.START.at(run.size() / 2).zoom(new Zoom(from, from + (long) (share * span) + 1));
                RecordingPainter recorder = new RecordingPainter();

                new TimelineView().paint(Subject.of(run, session, 3840, 800), recorder);

                assertTrue(recorder.calls() <= BUDGET, share + ": " + recorder.calls());
            }
        }
    }

    /// A million requests: the same budget, and few of them are looked at one by one, with a filter
    /// or without.
    ///
    /// Seen to catch: groups that are looked into however small they are.
    @Test
    void millionRequestsAreLookedAtInGroups() {
        Run run = run(1_000_000, false);
        assertWithinBudget(run);
        BitSet some = new BitSet();
        IntStream.range(0, run.size()).filter(n -> n % 1000 == 0).forEach(some::set);
        for (Spans.Lane lane : List.of(Spans.Lane.DAEMON, Spans.Lane.HOST)) {
            for (BitSet let : new BitSet[] {null, some}) {
                int[] looks = new int[2];
                long column = (run.end() - run.begin()) / 1000;

                run.spans(lane).look(new Sight(run.begin(), run.end(), column, let), new Visitor() {
                    @Override
                    public void one(int span) {
                        looks[0]++;
                    }

                    @Override
                    public void many(Many many) {
                        looks[1]++;
                    }
                });

                assertEquals(1_000_000, run.spans(lane).size());
                assertTrue(looks[0] + looks[1] < 70_000, looks[0] + " and " + looks[1]);
            }
        }
    }

    /// Whatever is told at once was looked at before: the rows, the failures and the matches of a
    /// group are those of its spans, and nothing is told twice or not at all.
    ///
    /// Seen to catch: the failure of a group's last span only.
    @Test
    void groupsSayWhatIsInThem() {
        Run run = run(5_000);
        Spans spans = run.spans(Spans.Lane.DAEMON);
        BitSet some = new BitSet();
        IntStream.range(0, run.size()).filter(n -> n % 170 == 0).forEach(some::set);
        for (long narrow : new long[] {0, 20_000, 250_000, 10_000_000}) {
            List<Many> told = new ArrayList<>();
            spans.look(new Sight(run.begin(), run.end(), narrow, some), new Visitor() {
                @Override
                public void one(int i) {
                    told.add(together(spans, some, i, i + 1));
                }

                @Override
                public void many(Many many) {
                    told.add(many);
                }
            });

            int next = 0;
            for (int i = 0; i < told.size(); i++) {
                int first = next;
                while (next < spans.size()
                        && (i + 1 == told.size()
                                || spans.begin(next) < told.get(i + 1).begin())) {
                    next++;
                }
                assertEquals(together(spans, some, first, next), told.get(i), "at " + narrow);
            }
            assertEquals(spans.size(), next);
            assertTrue(narrow > 100_000 == told.size() < 200, told.size() + " at " + narrow);
        }
    }

    private static Many together(Spans spans, BitSet let, int from, int to) {
        int rows = 0;
        int failed = 0;
        int matching = 0;
        for (int i = from; i < to; i++) {
            int row = 1 << spans.row(i);
            rows |= row;
            failed |= spans.failed(i) ? row : 0;
            matching |= let.get(spans.event(i)) ? row : 0;
        }
        return new Many(spans.begin(from), rows, failed, matching);
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
    private static Run run(int requests) {
        return run(requests, true);
    }

    private static Run run(int requests, boolean understood) {
        RunBuilder events = new RunBuilder();
        for (int i = 0; i < requests; i++) {
            long start = 1_000L * i;
            Keys keys = new Keys(1, i % 64, i + 1, i / 3 + 1);
            String opcode = i % 3 == 0 ? "READ" : "WRITE";
            events.add(new TraceEvent.ChainPopped(at(start, Actor.DAEMON, keys), 80, 4096, 4));
            if (understood) {
                events.add(new TraceEvent.RequestDecoded(
                        at(start + 200, Actor.DAEMON, Keys.ofUnique(i + 1)),
                        opcode,
                        new Sender(2, 0, 0, 1),
                        List.of(),
                        RawBytes.EMPTY));
            }
            long host = start + 400 + i * 7919L % 5_000;
            events.add(new TraceEvent.HostCall(
                    at(host, Actor.HOST, Keys.ofUnique(i + 1)), "preadv2", "", new Outcome(4096, 0, 300)));
            int error = i % 97 == 0 ? 5 : 0;
            if (understood) {
                events.add(new TraceEvent.ReplyGiven(
                        at(host + 100, Actor.DAEMON, Keys.ofUnique(i + 1)), error, 0, List.of(), RawBytes.EMPTY));
            }
            events.add(new TraceEvent.ChainPushed(at(host + 200, Actor.DAEMON, keys), 16));
        }
        return events.run(Map.of(), Optional.empty());
    }

    private static Stamp at(long nanos, Actor actor, Keys keys) {
        return new Stamp(nanos, actor, "queue 1", keys);
    }
}
