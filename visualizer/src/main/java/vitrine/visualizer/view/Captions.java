package vitrine.visualizer.view;

import java.util.List;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.timeline.Run;

/// The line below a picture: what has just happened, and what time it is.
final class Captions {

    private Captions() {}

    /// In a model's time, or measured: no picture leaves that open.
    static String badge(Run run) {
        return "model".equals(run.about().get("time")) ? "model" : "measured";
    }

    static void paint(Subject subject, Box box, Painter painter) {
        String sentence = subject.moment().event().map(Wording::sentence).orElse("Nothing has happened yet.");
        painter.part(new Part("caption", sentence, box), () -> {
            painter.line(box.x(), box.y() + 3, box.right(), box.y() + 3, Pen.of(Token.RULE, 1));
            Box inner = box.below(5).inset(Look.MARGIN, 0);
            Type small = Look.SMALL.toTheRight();
            long passed = subject.moment().nanos() - subject.run().begin();
            String clock = badge(subject.run()) + " " + Wording.time(passed);
            double clockWidth = painter.width(clock, small);
            Box text = inner.left(inner.width() - clockWidth - 12);
            List<String> lines = Lettering.lines(sentence, Look.BODY, text.width());
            Lettering.in(text.top(20), lines.getFirst(), Look.BODY, Token.TEXT, painter);
            if (lines.size() > 1) {
                String rest = String.join(" ", lines.subList(1, lines.size()));
                Lettering.in(inner.below(19).top(20), rest, Look.BODY, Token.TEXT, painter);
            }
            Lettering.in(inner.top(20), clock, small, Token.MUTED, painter);
        });
    }
}
