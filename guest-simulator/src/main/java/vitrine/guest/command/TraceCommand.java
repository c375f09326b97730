package vitrine.guest.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import vitrine.fuse.Opcode;
import vitrine.trace.BrokenCaptureException;
import vitrine.trace.Capture;
import vitrine.trace.CaptureReader;
import vitrine.trace.RequestStories;
import vitrine.trace.RequestStory;
import vitrine.trace.TraceEvent;

/// `vitrine trace FILE`: reads a capture and tells it request by request.
@Command(
        name = "trace",
        mixinStandardHelpOptions = true,
        description = "Tells what is in a capture file, request by request.",
        footer = {
            "",
            "Example: every write and every failed lookup of a run, one after the other",
            "  ./vitrine trace run.pcapng --opcode WRITE",
            "  ./vitrine trace run.pcapng --opcode LOOKUP --errors --brief",
            "",
            "A capture is made with the daemon's option --capture FILE. It is a pcapng file: tshark",
            "and Wireshark open it as well."
        })
public final class TraceCommand implements Callable<Integer> {

    private static final int WIDEST = 100;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The capture.")
    private Path file;

    @Option(names = "--brief", description = "One line a request.")
    private boolean brief;

    @Option(
            names = "--opcode",
            split = ",",
            paramLabel = "NAMES",
            hideParamSyntax = true,
            description = "Only these requests, such as WRITE,READ.")
    private Set<String> opcodes = new LinkedHashSet<>();

    @Option(names = "--unique", paramLabel = "N", description = "Only the request with this number.")
    private long unique;

    @Option(names = "--errors", description = "Only requests that failed.")
    private boolean errors;

    @Option(names = "--rings", description = "With each access to a ring.")
    private boolean rings;

    @Option(names = "--control", description = "With the messages of vhost-user.")
    private boolean control;

    @Option(
            names = "--width",
            paramLabel = "COLUMNS",
            description = "Width of the page, 60 or more; else the terminal's, or 80.")
    private Integer width;

    /// Prints the capture.
    @Override
    public Integer call() throws IOException {
        opcodes.forEach(this::require);
        if (width != null && width < Story.NARROWEST) {
            throw new ParameterException(
                    spec.commandLine(), "--width=" + width + ": " + Story.NARROWEST + " columns or more");
        }
        if (Files.isDirectory(file)) {
            throw new IOException(file + ": not a file");
        }
        try {
            print(CaptureReader.read(file), spec.commandLine().getOut());
            return 0;
        } catch (BrokenCaptureException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private void require(String opcode) {
        List<String> names = Stream.of(Opcode.values()).map(Opcode::name).toList();
        if (!names.contains(opcode.toUpperCase(Locale.ROOT))) {
            throw new ParameterException(
                    spec.commandLine(), "--opcode " + opcode + ": there is " + String.join(", ", names));
        }
    }

    private void print(Capture capture, PrintWriter out) {
        Story.Style style = style();
        RequestStories stories = RequestStories.from(capture.events());
        new TreeMap<>(capture.about()).forEach((key, value) -> out.println(key + ": " + value));
        if (control) {
            controlMessages(stories, style).forEach(out::println);
        }
        List<RequestStory> chosen = stories.stories().stream()
                .filter(new StoryFilter(opcodes, unique, errors)::accepts)
                .toList();
        for (RequestStory story : chosen) {
            if (brief) {
                out.println(Story.brief(story, style));
            } else {
                Story.block(story, style).forEach(out::println);
                out.println();
            }
        }
        int all = stories.stories().size();
        if (chosen.size() < all) {
            out.println((chosen.isEmpty() ? "None" : chosen.size()) + " of " + all + " asked for; of all together:");
        }
        StorySummary.of(stories, style.width()).forEach(out::println);
        capture.note().ifPresent(note -> out.println("Note: " + note + "."));
        out.flush();
    }

    private static List<String> controlMessages(RequestStories stories, Story.Style style) {
        List<String> lines = new ArrayList<>();
        for (TraceEvent event : stories.others()) {
            if (event instanceof TraceEvent.ControlMessage message) {
                Page page = new Page(style.width(), style.colour());
                String way = message.direction() == TraceEvent.Direction.TO_BACK_END ? "-> " : "<- ";
                page.head((way + message.name() + "  " + message.summary()).strip(), "");
                lines.addAll(page.lines());
            }
        }
        return lines;
    }

    /// Colour only for somebody who sees it, and who does not object (no-color.org).
    private Story.Style style() {
        String noColour = System.getenv("NO_COLOR");
        boolean terminal = System.console() != null && System.console().isTerminal();
        boolean colour = terminal && (noColour == null || noColour.isEmpty());
        return new Story.Style(width != null ? width : terminalWidth(), colour, rings);
    }

    private static int terminalWidth() {
        try {
            return Math.min(WIDEST, Integer.parseInt(System.getenv().getOrDefault("COLUMNS", "80")));
        } catch (NumberFormatException _) {
            return Story.Style.PLAIN.width();
        }
    }
}
