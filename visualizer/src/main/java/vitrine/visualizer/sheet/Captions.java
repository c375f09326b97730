package vitrine.visualizer.sheet;

import java.util.List;
import java.util.Optional;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// The line below a picture, or above it: what has just happened, and what time it is.
public final class Captions {

    private static final double HEIGHT = 46;
    private static final double LINE = 20;

    private Captions() {}

    /// In a model's time, or measured: no picture leaves that open.
    public static String badge(Run run) {
        return "model".equals(run.about().get("time")) ? "model" : "measured";
    }

    /// Draws the sentence and the time, and says what room is left for the picture. In a lecture
    /// the sentence is the headline.
    public static Box around(Subject subject, Painter painter) {
        Box area = subject.area();
        boolean lecture = subject.manner().lecture();
        Box box = lecture ? area.top(HEIGHT) : area.below(area.height() - HEIGHT);
        String sentence = subject.moment().event().map(Wording::sentence).orElse("Nothing has happened yet.");
        painter.part(new Part("caption", sentence, box), () -> {
            double edge = lecture ? box.bottom() - 2 : box.y() + 3;
            painter.line(box.x(), edge, box.right(), edge, Pen.of(Token.RULE, 1));
            sentence(subject, sentence, box.below(lecture ? 2 : 5).inset(Look.MARGIN, 0), painter);
        });
        return room(subject);
    }

    /// The room for the picture.
    public static Box room(Subject subject) {
        Box area = subject.area();
        return subject.manner().lecture() ? area.below(HEIGHT) : area.top(area.height() - HEIGHT);
    }

    /// How late it is in the run; in a capture, which may be a day long, how late in the request.
    private static String clock(Subject subject) {
        long now = subject.moment().nanos();
        Optional<Story> story = subject.moment().story();
        if (badge(subject.run()).equals("model") || story.isEmpty()) {
            return Wording.time(now - subject.run().begin());
        }
        return Wording.time(Math.max(0, now - subject.run().nanos(story.get().begin()))) + " into the request";
    }

    private static void sentence(Subject subject, String sentence, Box box, Painter painter) {
        Type type = subject.manner().lecture() ? Look.TITLE : Look.BODY;
        Type small = Look.SMALL.toTheRight();
        String clock = badge(subject.run()) + " " + clock(subject);
        Box text = box.left(box.width() - painter.width(clock, small) - Look.GAP);
        List<String> lines = Lettering.lines(sentence, type, text.width());
        Lettering.in(text.top(LINE), lines.getFirst(), type, Token.TEXT, painter);
        if (lines.size() > 1) {
            String rest = String.join(" ", lines.subList(1, lines.size()));
            Lettering.in(text.below(LINE).top(LINE), rest, type, Token.TEXT, painter);
        }
        Lettering.in(box.top(LINE), clock, small, Token.MUTED, painter);
    }
}
