package vitrine.guest.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.posix.ErrnoException;

/// `vitrine demo`: one story, from the bytes and system calls of this very run.
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = "Tells who clears the set-user-ID bit of a file that somebody else writes to,"
                + " with and without KILLPRIV_V2, and what that costs.",
        footer = {"", "Example: for a narrow terminal, or to paste into a mail", "  ./vitrine demo --width 80"})
public final class DemoCommand implements Callable<Integer> {

    private static final int WIDEST = 110;
    private static final int NARROWEST = 80;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--width",
            paramLabel = "COLUMNS",
            description = "Width of the page, 80 or more; else the terminal's.")
    private Integer width;

    /// Runs the story twice and prints it; 1 if it cannot be run here.
    @Override
    public Integer call() throws ErrnoException, FrontendException, IOException {
        if (width != null && width < NARROWEST) {
            throw new ParameterException(
                    spec.commandLine(), "--width=" + width + ": " + NARROWEST + " columns or more");
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            throw new IOException("run it as root: a set-user-ID file of root's and a program of another user take"
                    + " somebody who may be both");
        }
        // Nobody but root gets into the outer directory: what is about to lie in the inner one, a
        // program of root's that anybody may write to, would be a gift to the users of this host.
        try (TemporaryFolder outer = TemporaryFolder.named("vitrine-demo-")) {
            Path share = Files.createDirectory(outer.path().resolve("share"));
            Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwxr-xr-x"));
            DemoRun without = DemoRun.in(share, false);
            DemoRun with = DemoRun.in(share, true);
            PrintWriter out = spec.commandLine().getOut();
            new DemoStory(without, with, columns()).lines().forEach(out::println);
            out.flush();
            return 0;
        }
    }

    private int columns() {
        if (width != null) {
            return width;
        }
        try {
            String columns = System.getenv().getOrDefault("COLUMNS", "100");
            return Math.clamp(Integer.parseInt(columns), NARROWEST, WIDEST);
        } catch (NumberFormatException _) {
            return NARROWEST;
        }
    }
}
