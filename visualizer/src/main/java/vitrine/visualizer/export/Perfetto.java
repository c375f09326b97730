package vitrine.visualizer.export;

import java.io.IOException;
import java.util.Locale;
import vitrine.trace.Actor;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Spans;
import vitrine.visualizer.timeline.Story;

/// The trace-event format of Chrome, which Perfetto opens: a track for each lane of the timeline,
/// and a tick for each decision and notification.
public final class Perfetto {

    private final Run run;
    private final Appendable out;
    private boolean first = true;

    private Perfetto(Run run, Appendable out) {
        this.run = run;
        this.out = out;
    }

    /// Writes a run.
    public static void write(Run run, Appendable out) throws IOException {
        new Perfetto(run, out).all();
    }

    private void all() throws IOException {
        out.append("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
        for (Spans.Lane lane : Spans.Lane.values()) {
            object("\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":" + (lane.ordinal() + 1)
                    + ",\"args\":{\"name\":" + Json.text(lane.name().toLowerCase(Locale.ROOT)) + "}");
        }
        for (Spans.Lane lane : Spans.Lane.values()) {
            Spans spans = run.spans(lane);
            for (int i = 0; i < spans.size(); i++) {
                span(lane, spans, i);
            }
        }
        for (int n = 0; n < run.size(); n++) {
            if (run.kind(n) == Kind.NOTIFIED || run.kind(n) == Kind.GUEST_DECISION) {
                String what = Json.text(Wording.label(run.event(n)));
                object("\"ph\":\"i\",\"s\":\"t\",\"name\":" + what + ",\"args\":{\"what\":" + what + "}"
                        + ",\"pid\":1,\"tid\":" + (run.actor(n) == Actor.DAEMON ? 3 : 2) + ",\"ts\":"
                        + micros(run.nanos(n) - run.begin()));
            }
        }
        out.append("\n]}\n");
    }

    private void span(Spans.Lane lane, Spans spans, int i) throws IOException {
        int event = spans.event(i);
        boolean ofRequest = lane == Spans.Lane.QUEUE || lane == Spans.Lane.DAEMON;
        String name = ofRequest ? run.stories().of(event).map(Story::opcode).orElse("?") : run.name(event);
        object("\"ph\":\"X\",\"name\":" + Json.text(name) + ",\"pid\":1,\"tid\":" + (lane.ordinal() + 1) + ",\"ts\":"
                + micros(spans.begin(i) - run.begin()) + ",\"dur\":" + micros(spans.end(i) - spans.begin(i))
                + ",\"args\":{\"what\":" + Json.text(Wording.label(run.event(event))) + ",\"failed\":" + spans.failed(i)
                + "}");
    }

    private void object(String members) throws IOException {
        out.append(first ? "\n{" : ",\n{").append(members).append('}');
        first = false;
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1e3);
    }
}
