package vitrine.visualizer.view;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Ink;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.HostFiles.Content;
import vitrine.visualizer.timeline.HostFiles.Progress;
import vitrine.visualizer.timeline.HostFiles.State;
import vitrine.visualizer.timeline.Run;

/// All moments of a run from left to right, an event beside the other, and what lay on the host in
/// each. Where a system call has been done by half, it is hatched.
///
/// @param run the one that is looked at, or the other
/// @param letter of the run, if there are two
record CrashSlider(Subject subject, Run run, String letter, Box box) {

    private static final double LINE = 22;
    private static final double STRIP = 26;

    /// A line that says which run it is, the slider, and an arrow.
    static final double HEIGHT = LINE + STRIP + 14;

    void paint(Painter painter) {
        List<State> states = run.hostFiles().states();
        long halves = states.stream().filter(this::isHalfDone).count();
        String title = letter + run.about().getOrDefault("scenario", "capture");
        String says = run.hostFiles().isUnseen()
                ? "not looked at"
                : halves == 0 ? "never half done" : "half done " + Wording.count(halves, "time");
        Box head = box.top(LINE);
        double wide = painter.width(says, Look.SMALL) + Look.GAP;
        Lettering.in(head.left(head.width() - wide), title, Look.SMALL, Token.MUTED, painter);
        Lettering.in(head, says, Look.SMALL.toTheRight(), Token.TEXT, painter);
        Box strip = strip();
        for (int i = 0; i < states.size(); i++) {
            int until = i + 1 < states.size() ? states.get(i + 1).since() : run.size();
            state(states.get(i), until, strip, painter);
        }
        if (run == subject.run()) {
            double x = x(subject.session().position(), strip);
            painter.line(x, strip.y() - 3, x, strip.bottom() + 3, Pen.of(Token.ACCENT, 2));
            painter.arrowHead(x, strip.bottom() + 1, -90, 9, Token.ACCENT);
        }
    }

    private boolean isHalfDone(State state) {
        return run.hostFiles().progress(run, state.since()) == Progress.HALF_DONE;
    }

    private void state(State state, int until, Box strip, Painter painter) {
        double left = x(state.since(), strip);
        Box box = new Box(left, strip.y(), Math.max(0, x(until, strip) - left), strip.height());
        boolean half = isHalfDone(state);
        Optional<String> name = run.hostFiles().changedLast(state.since());
        Content content = name.map(file -> state.files().get(file)).orElse(null);
        String size = content == null ? "-" : String.valueOf(content.size());
        String says = "From step " + state.since() + " on: "
                + name.map(file -> CrashView.heading(file, Optional.ofNullable(content)))
                        .orElse("no file")
                + (half ? ", half done." : ".");
        String id = (run == subject.run() ? "event-" : "other-event-") + (state.since() - 1);
        painter.part(new Part(id, says, box), () -> {
            Token body = half ? Token.DAEMON : Token.PANEL;
            painter.rect(box, Fill.of(body).edged(half ? Token.OUTLINE : Token.RULE, 1));
            if (half) {
                painter.hatch(box.inset(1), Token.OUTLINE);
            }
            double wide = painter.width(size, Look.SMALL_CODE) + 6;
            if (wide <= box.width() - 2) {
                Box label = new Box(box.middleX() - wide / 2, box.y() + 5, wide, box.height() - 10);
                painter.rect(label, Fill.of(body).rounded(2));
                Lettering.in(label, size, Look.SMALL_CODE.centred(), half ? Ink.on(body) : Token.TEXT, painter);
            }
        });
    }

    private double x(int position, Box strip) {
        return strip.x() + strip.width() * position / Math.max(1, run.size());
    }

    private Box strip() {
        return box.below(LINE).top(STRIP);
    }

    /// The position that a point stands for, on the slider or at its arrow.
    OptionalInt moment(double x, double y) {
        Box strip = strip();
        if (y < strip.y() || y >= box.bottom()) {
            return OptionalInt.empty();
        }
        double share = Math.clamp((x - strip.x()) / Math.max(1, strip.width()), 0, 1);
        return OptionalInt.of((int) Math.round(share * run.size()));
    }
}
