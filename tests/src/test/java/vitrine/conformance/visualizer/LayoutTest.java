package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.paint.Typeface;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.Views;

/// Every view in every theme, in windows of 960 by 700 and of 1440 by 900 and on a projector of
/// 1024 by 768: nothing is cut off, nothing lies on anything else. Light and dark are drawn with
/// the same strokes, so one stands for both.
class LayoutTest {

    private static final double[][] SMALL_WINDOW = {{547, 446}, {960, 620}};
    private static final double[][] LARGE_WINDOW = {{820, 576}, {1440, 820}};
    private static final double[][] LECTURE = {{960, 700}, {1024, 768}, {1440, 900}};
    private static final double[][] INSPECTOR = {{268, 420}, {400, 650}};
    private static final double[][] TIMELINE = {{960, 152}, {1440, 152}};
    private static final double BACK_ROW = 20; // pixels

    private static final List<String> SCENARIOS = List.of(
            "killpriv-off",
            "window-read",
            "ring-flags",
            "ring-packed",
            "patch-guest-kills",
            "write-pages",
            "names",
            "append-room-first",
            "direct-off",
            "ring-indirect");

    /// Draws nothing, and notes what would not be seen as it was meant.
    private static final class Proof implements Painter {
        private static final double SLACK = 1.5;
        private static final double UPWARDS = -90; // below a thing that it points to; others end where their text does

        private record Text(String text, Box box) {}

        private final String what;
        private final Box area;
        private final List<String> findings;
        private final List<Text> texts = new ArrayList<>();
        private final List<Box> arrows = new ArrayList<>();
        private double smallest = Double.MAX_VALUE;

        Proof(String what, Box area, List<String> findings) {
            this.what = what;
            this.area = area;
            this.findings = findings;
        }

        @Override
        public void rect(Box box, Fill fill) {
            inArea("a box", box);
            if (fill.body() != null) {
                texts.stream()
                        .filter(text -> overlap(text.box, box))
                        .forEach(text -> findings.add(what + "'" + text.text + "' is painted over by " + box));
            }
        }

        @Override
        public void text(String text, double x, double y, Type type, Token token) {
            double wide = width(text, type);
            Box box = new Box(type.start(x, wide), y - type.size() * 0.72, wide, type.size() * 0.9);
            inArea("'" + text + "'", box);
            texts.stream()
                    .filter(other -> overlap(other.box, box))
                    .forEach(other -> findings.add(what + "'" + text + "' lies on '" + other.text + "'"));
            if (arrows.stream().anyMatch(arrow -> overlap(arrow, box))) {
                findings.add(what + "'" + text + "' lies on an arrow");
            }
            text.chars()
                    .filter(letter -> !Typeface.of(type).has((char) letter))
                    .forEach(
                            letter -> findings.add(what + "no font has the '" + (char) letter + "' of '" + text + "'"));
            texts.add(new Text(text, box));
            smallest = Math.min(smallest, type.size());
        }

        private void inArea(String thing, Box box) {
            if (!area.contains(box)) {
                findings.add(what + thing + " at " + box + " leaves the picture");
            }
        }

        private static boolean overlap(Box one, Box other) {
            return Math.min(one.right(), other.right()) - Math.max(one.x(), other.x()) > SLACK
                    && Math.min(one.bottom(), other.bottom()) - Math.max(one.y(), other.y()) > SLACK;
        }

        @Override
        public void hatch(Box box, Token token) {
            inArea("a hatch", box);
        }

        @Override
        public void line(double fromX, double fromY, double toX, double toY, Pen pen) {
            inArea("a line", new Box(Math.min(fromX, toX), Math.min(fromY, toY), Math.abs(toX - fromX), 0));
        }

        @Override
        public void arrowHead(double x, double y, double degrees, double size, Token token) {
            inArea("an arrow", new Box(x, y, 0, 0));
            Box pointingUp = new Box(x - size * 0.45, y, size * 0.9, size);
            if (degrees == UPWARDS) {
                texts.stream()
                        .filter(text -> overlap(text.box, pointingUp))
                        .forEach(text -> findings.add(what + "an arrow lies on '" + text.text + "'"));
                arrows.add(pointingUp);
            }
        }

        @Override
        public void part(Part part, Runnable content) {
            content.run();
        }
    }

    /// Seen to catch: a caption below the clock, a list that leaves no line for what is missing,
    /// letters of 19.8 pixels in a lecture, a report that is wider than its picture, an arrow on
    /// the label of another, a sign for a blank that no font has.
    @Test
    void nothingIsCutOffAndNothingLiesOnAnythingElse() {
        List<String> findings = new ArrayList<>();
        for (String scenario : SCENARIOS) {
            Run run = Runs.of(scenario);
            Run pair = Runs.of(pair(scenario));
            for (int i = 0; i <= 9; i++) {
                Session session = Session.START.at(run.size() * i / 9);
                Optional<Run> other = i % 2 == 0 ? Optional.of(pair) : Optional.empty();
                for (View view : Views.ALL) {
                    for (double[] size : sizes(view)) {
                        look(view, new Subject(run, other, session, size[0], size[1]), Theme.LIGHT, findings);
                    }
                    for (double[] size : LECTURE) {
                        look(view, new Subject(run, other, session, size[0], size[1]), Theme.LECTURE, findings);
                    }
                }
            }
        }
        assertEquals(List.of(), findings.stream().distinct().limit(20).toList(), findings.size() + " findings");
    }

    /// What it is there to be compared with.
    private static String pair(String scenario) {
        return Gallery.EXPERIMENTS.stream()
                .filter(pair -> pair.getFirst().name().equals(scenario))
                .map(pair -> pair.getLast().name())
                .findFirst()
                .orElse("killpriv-on");
    }

    /// The capture of a daemon, which has less to show and says why.
    ///
    /// Seen to catch: the note on chains that lies on the empty list.
    @Test
    void theCaptureOfADaemonIsLaidOutAsWell() {
        List<String> findings = new ArrayList<>();
        Run run = Runs.asItsDaemonSawIt("killpriv-off");
        for (int position : new int[] {1, run.size() / 2, run.size()}) {
            Session session = Session.START.at(position);
            for (View view : Views.ALL) {
                for (double[] size : sizes(view)) {
                    look(view, new Subject(run, Optional.of(run), session, size[0], size[1]), Theme.LIGHT, findings);
                }
                for (double[] size : LECTURE) {
                    look(view, new Subject(run, Optional.empty(), session, size[0], size[1]), Theme.LECTURE, findings);
                }
            }
        }
        assertEquals(List.of(), findings.stream().distinct().limit(20).toList(), findings.size() + " findings");
    }

    private static List<double[]> sizes(View view) {
        List<double[]> sizes = new ArrayList<>(List.of(SMALL_WINDOW));
        sizes.addAll(List.of(LARGE_WINDOW));
        switch (view.name()) {
            case "inspector" -> sizes.addAll(List.of(INSPECTOR));
            case "timeline" -> sizes.addAll(List.of(TIMELINE));
            default -> {}
        }
        return sizes;
    }

    private static void look(View view, Subject inPixels, Theme theme, List<String> found) {
        Subject subject = inPixels.in(theme);
        String what = view.name() + " of " + subject.run().about().get("scenario") + " at "
                + subject.session().position() + ", " + (int) inPixels.width() + "x" + (int) inPixels.height() + " "
                + theme.lowerName() + ": ";
        Proof proof = new Proof(what, subject.area(), found);

        view.paint(subject, proof);

        assertTrue(!proof.texts.isEmpty(), what + "nothing is said");
        if (theme == Theme.LECTURE && proof.smallest * theme.scale() < BACK_ROW) {
            found.add(what + "letters of " + proof.smallest * theme.scale() + " pixels");
        }
    }
}
