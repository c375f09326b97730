package vitrine.guest.command;

import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import picocli.CommandLine.Option;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.NewerSoftware;

/// The part of `vitrine qemu` that prepares a newer QEMU, after a question.
final class SetupNewer {

    @Option(
            names = "--setup-newer",
            required = true,
            description = "fetch QEMU 11 or newer and virtiofsd in Rust from Debian, unpack them beside the machine's"
                    + " own, and end, or go on with COMMAND; installs nothing, asks before")
    private boolean wanted;

    @Option(names = "--yes", description = "do not ask")
    private boolean yes;

    @Option(
            names = "--mirror",
            paramLabel = "URI",
            description = "of Debian's packages (default: as in this machine's own sources)")
    private String mirror;

    /// Does it, unless it is done already.
    void run(PrintStream terminal) throws GuestFailedException, IOException, InterruptedException {
        NewerSoftware newer = NewerSoftware.ofUser();
        if (newer.isPrepared()) {
            terminal.println("There already: " + newer.versions() + ", in " + newer.folder()
                    + " (to get newer ones, delete the folder)");
            return;
        }
        String from = mirror == null ? NewerSoftware.usualMirror() : mirror;
        terminal.println("This fetches some 70 MB from " + from + ": lists of packages, then QEMU and virtiofsd with"
                + " all their libraries. They take 250 MB in " + newer.folder() + "; nothing is installed.");
        if (!yes && !agreed()) {
            throw new GuestFailedException("nothing was fetched");
        }
        newer.prepare(from, line -> terminal.println(" ∙ " + line));
        terminal.println("Ready: " + newer.versions() + ". Try: ./vitrine qemu --newer -- uname -r");
    }

    private static boolean agreed() throws GuestFailedException {
        Console console = System.console();
        if (console == null || !console.isTerminal()) {
            throw new GuestFailedException("there is nobody to ask: say --yes if you agree");
        }
        String answer = console.readLine("Go on? [y/N] ");
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }
}
