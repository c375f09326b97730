package vitrine.visualizer.window;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import javafx.application.Application;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import vitrine.guest.command.Refusal;
import vitrine.visualizer.command.AnchorList;
import vitrine.visualizer.command.Opened;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.scenario.Link;

/// `vitrine view`: the window.
@Command(
        name = "./vitrine view",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Opens the window: every request on its way from a program in the guest to the host and back.",
        footer = {
            "",
            "Example: the start page; one moment of a run; a capture of your own",
            "  ./vitrine view",
            "  ./vitrine view killpriv-off@first-getxattr",
            "  ./vitrine view run.pcapng",
            "or what a daemon does right now, for a guest in QEMU, say",
            "  ./vitrine daemon --socket-path=/tmp/v.sock --shared-dir=/srv \\",
            "    --capture-socket=/tmp/now.sock",
            "  ./vitrine view --socket /tmp/now.sock",
            "or which moments of a run have a name",
            "  ./vitrine view --list-anchors killpriv-off",
            "",
            "? in the window lists its keys. Without a screen: ./vitrine render."
        })
public final class ViewCommand implements Callable<Integer> {

    private static final int WRONG = 2;

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "LINK",
            defaultValue = "",
            description = "A scenario or a capture file, then perhaps @MOMENT and ?view=VIEW.")
    private String link;

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            description = "Follow a daemon that was started with --capture-socket=PATH, while it serves its guest.")
    private Path socket;

    @Option(names = "--theme", paramLabel = "NAME", description = "light or dark. Default: as the system.")
    private String theme;

    @Option(
            names = "--list-anchors",
            description = "Open no window: list the moments of LINK's run that a link can name, and how often each is.")
    private boolean listAnchors;

    @Option(names = "--rehearse", hidden = true, description = "Open, draw once, and close: for the build.")
    private boolean rehearse;

    /// Runs the command and ends the process with its exit code.
    public static void main(String... arguments) {
        CommandLine commandLine = Refusal.by(new CommandLine(new ViewCommand()));
        commandLine.setExecutionExceptionHandler((e, command, _) -> {
            int failed = Refusal.failure(e, command);
            return e instanceof IllegalArgumentException ? WRONG : failed;
        });
        System.exit(commandLine.execute(arguments));
    }

    /// Shows the window until it is closed.
    @Override
    public Integer call() throws IOException {
        if (listAnchors) {
            if (link.isEmpty()) {
                throw new IllegalArgumentException(
                        "--list-anchors of which run? ./vitrine view --list-anchors first-byte");
            }
            AnchorList.print(
                    Opened.run(Link.parse(link).run()), spec.commandLine().getOut());
            return 0;
        }
        List<String> arguments = new ArrayList<>();
        if (theme != null) {
            arguments.add("--theme=" + Theme.named(theme).name());
        }
        if (socket != null) {
            arguments.add("--socket=" + socket);
        }
        if (rehearse) {
            arguments.add("--rehearse=true");
        }
        arguments.add(link);
        boolean isHeadless =
                "headless".equals(System.getProperty("glass.platform", "").toLowerCase(Locale.ROOT));
        if (!isHeadless && System.getenv("DISPLAY") == null) {
            throw new IllegalStateException("there is no screen (DISPLAY is not set); ./vitrine render makes pictures");
        }
        try {
            Application.launch(Viewer.class, arguments.toArray(String[]::new));
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            throw new IllegalStateException(
                    "the window cannot be opened: " + reason(e)
                            + " (it needs a screen and GTK 3; Debian: apt-get install libgtk-3-0)",
                    e);
        }
        return 0;
    }

    private static String reason(Throwable thrown) {
        Throwable deepest = thrown;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest.getMessage();
    }
}
