package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.weisj.jsvg.SVGDocument;
import com.github.weisj.jsvg.parser.LoaderContext;
import com.github.weisj.jsvg.parser.SVGLoader;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import vitrine.visualizer.paint.SvgPainter;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.view.Views;

/// Pictures as they were when somebody last looked at them, and as the documents show them. A
/// difference is a line of SVG that one can read; `VITRINE_REGENERATE=1` writes them anew.
class GoldenTest {

    private static final Path FOLDER = Path.of(System.getProperty("vitrine.root"), "docs/pictures");

    private static final double WIDTH = 960;
    private static final double HEIGHT = 600;

    /// A picture: view, scenario, moment.
    private record Picture(String view, String scenario, String anchor) {

        String svg(Theme theme) {
            Subject at = Runs.at(scenario, anchor);
            Optional<Run> other = view.equals("crash")
                    ? Optional.of(Runs.of("append-write"))
                    : view.equals("compare") || view.equals("cost")
                            ? Optional.of(Runs.of("killpriv-on"))
                            : Optional.empty();
            Subject subject = new Subject(at.run(), other, at.session(), WIDTH, HEIGHT).in(theme);
            SvgPainter painter = new SvgPainter(subject.width(), subject.height(), theme.scale(), theme);
            drawn().paint(subject, painter);
            return painter.svg();
        }

        View drawn() {
            return Views.named(view);
        }
    }

    private static final List<Picture> PICTURES = List.of(
            new Picture("path", "killpriv-off", "first-getxattr"),
            new Picture("rings", "killpriv-off", "first-getxattr"),
            new Picture("rings", "ring-flags", "write-5"),
            new Picture("rings", "ring-packed", "write-5"),
            new Picture("timeline", "killpriv-off", "write-3"),
            new Picture("inspector", "killpriv-off", "write-2"),
            new Picture("caches", "deep-path", "first-destroy"),
            new Picture("caches", "killpriv-on", "write-5"),
            new Picture("dax", "window-read", "first-destroy"),
            new Picture("cost", "killpriv-off", "write-2"),
            new Picture("compare", "killpriv-off", "write-2"),
            new Picture("decision", "patch-guest-kills", "last-write"),
            new Picture("crash", "append-room-first", "first-setupmapping"));

    @Test
    void picturesAreAsSomebodySawThem() throws IOException {
        List<String> changed = new ArrayList<>();
        for (Picture picture : PICTURES) {
            for (Theme theme : Theme.values()) {
                String svg = picture.svg(theme);
                Path file = FOLDER.resolve(picture.view + "-" + picture.scenario + "-" + theme.lowerName() + ".svg");
                if ("1".equals(System.getenv("VITRINE_REGENERATE"))) {
                    Files.createDirectories(FOLDER);
                    Files.writeString(file, svg);
                }
                if (!Files.exists(file) || !Files.readString(file).equals(svg)) {
                    changed.add(file.getFileName() + ": " + difference(file, svg));
                }
            }
        }
        assertEquals(List.of(), changed, "look at the difference, then VITRINE_REGENERATE=1 ./vitrine test GoldenTest");
    }

    private static String difference(Path file, String svg) throws IOException {
        List<String> was = Files.exists(file) ? Files.readAllLines(file) : List.of();
        List<String> is = svg.lines().toList();
        for (int i = 0; i < Math.min(was.size(), is.size()); i++) {
            if (!was.get(i).equals(is.get(i))) {
                return "line " + (i + 1) + " was " + was.get(i).strip() + " and is "
                        + is.get(i).strip();
            }
        }
        return "had " + was.size() + " lines and has " + is.size();
    }

    /// Another program draws them: text and boxes of every theme, on a page that is not blank.
    @Test
    void picturesAreSvgThatOthersDraw() {
        System.setProperty("java.awt.headless", "true");
        for (Picture picture : PICTURES.subList(0, 4)) {
            for (Theme theme : Theme.values()) {
                byte[] svg = picture.svg(theme).getBytes(StandardCharsets.UTF_8);

                SVGDocument document =
                        new SVGLoader().load(new ByteArrayInputStream(svg), null, LoaderContext.createDefault());

                BufferedImage image = new BufferedImage((int) WIDTH, (int) HEIGHT, BufferedImage.TYPE_INT_RGB);
                Graphics2D graphics = image.createGraphics();
                document.render(null, graphics);
                long drawn = pixels(image)
                        .filter(rgb -> (rgb & 0xffffff) != theme.rgb(Token.PAGE))
                        .count();
                assertTrue(drawn > 5_000, picture + " " + theme + ": " + drawn + " pixels");
            }
        }
    }

    private static IntStream pixels(BufferedImage image) {
        return Arrays.stream(image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()));
    }
}
