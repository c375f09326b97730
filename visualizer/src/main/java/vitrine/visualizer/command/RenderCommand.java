package vitrine.visualizer.command;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import javax.imageio.ImageIO;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import vitrine.visualizer.paint.ImagePainter;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.SvgPainter;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.Views;

/// `vitrine render LINK -o FILE`: a picture without a screen.
@Command(
        name = "render",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Draws one moment of a run. LINK is SCENARIO or FILE, then @MOMENT and ?view=VIEW.",
        footer = {
            "",
            "Example: the ring at the first kick, and the whole way as an animation",
            "  ./vitrine render 'killpriv-off@first-kick?view=rings' -o ring.svg",
            "  ./vitrine render 'first-byte?view=path' -o way.gif --theme dark",
            "",
            "Views: path, rings, timeline, inspector, caches, dax, cost, compare,",
            "decision, crash. Scenarios: first-byte, handshake, killpriv-off, killpriv-on,",
            "ring-wraps, window-read and more; a name that is none lists them all.",
            "Moments: start, end, step-17, request-2, call-1, first-getxattr, write-3."
        })
public final class RenderCommand implements Callable<Integer> {

    private static final int MOST_FRAMES = 400;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "LINK", description = "What to draw.")
    private String link;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "Where to: its ending says what, .svg, .png or .gif (from the moment to the end).")
    private Path output;

    @Option(names = "--theme", defaultValue = "light", paramLabel = "NAME", description = "light, dark or lecture.")
    private String theme;

    @Option(names = "--scale", defaultValue = "1", paramLabel = "N", description = "How many times larger.")
    private double scale;

    @Option(names = "--width", defaultValue = "1100", paramLabel = "PIXELS", description = "Default: 1100.")
    private int width;

    @Option(names = "--height", defaultValue = "620", paramLabel = "PIXELS", description = "Default: 620.")
    private int height;

    /// Draws and writes; 0 if the picture is there.
    @Override
    public Integer call() throws IOException {
        if (scale < 0.1 || scale > 8 || width < 200 || height < 150 || width > 8000 || height > 8000) {
            throw new IllegalArgumentException(
                    "a picture is 200 to 8000 wide, 150 to 8000 high, and scaled by 0.1 to 8");
        }
        String ending = output.toString().toLowerCase(Locale.ROOT).replaceFirst(".*\\.", "");
        if (!List.of("svg", "png", "gif").contains(ending)) {
            throw new IllegalArgumentException("-o " + output + ": its ending must be .svg, .png or .gif");
        }
        Theme colours = Theme.named(theme);
        Opened opened = Opened.of(link);
        Looking.note(opened, spec);
        View view = opened.link().view().isEmpty()
                ? Views.ALL.getFirst()
                : Views.named(opened.link().view());
        if (view.name().equals("compare") && opened.other().isEmpty()) {
            throw new IllegalArgumentException("there is nothing to compare with: add &b=SCENARIO to the link, as in"
                    + " 'killpriv-off?view=compare&b=killpriv-on'");
        }
        switch (ending) {
            case "svg" -> Files.writeString(output, svg(view, opened, colours));
            case "png" -> ImageIO.write(image(view, opened, opened.session(), colours), "png", output.toFile());
            default -> Animation.write(frames(view, opened, colours), output);
        }
        return 0;
    }

    private String svg(View view, Opened opened, Theme colours) {
        SvgPainter painter =
                new SvgPainter(width / colours.scale(), height / colours.scale(), scale * colours.scale(), colours);
        paint(view, opened, opened.session(), painter, colours);
        return painter.svg();
    }

    private BufferedImage image(View view, Opened opened, Session session, Theme colours) {
        ImagePainter painter =
                new ImagePainter(width / colours.scale(), height / colours.scale(), scale * colours.scale(), colours);
        paint(view, opened, session, painter, colours);
        return painter.image();
    }

    private void paint(View view, Opened opened, Session session, Painter painter, Theme colours) {
        view.paint(new Subject(opened.run(), opened.other(), session, width, height).in(colours), painter);
    }

    private List<BufferedImage> frames(View view, Opened opened, Theme colours) {
        List<BufferedImage> frames = new ArrayList<>();
        int position = opened.session().position();
        while (position <= opened.run().size() && frames.size() < MOST_FRAMES) {
            frames.add(image(view, opened, opened.session().at(position), colours));
            position = opened.run().at(position).next();
        }
        return frames;
    }
}
