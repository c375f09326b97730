package vitrine.guest.wireshark;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import vitrine.posix.FileProblem;

/// `vitrine wireshark`: teaches Wireshark and tshark to read captures.
@Command(
        name = "wireshark",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Installs a dissector, so that Wireshark and tshark show a capture field by field: FUSE requests and"
                    + " replies, messages of vhost-user, what happens in the rings, system calls of the daemon."
                    + " Without an option: for you alone, where your Wireshark looks for scripts.",
        },
        footer = {
            "",
            "Example: every write that has to clear set-ID bits, and what the daemon did on the host",
            "  ./vitrine wireshark                          (for you)",
            "  ./vitrine wireshark --print > vitrine.lua    (to put it somewhere yourself)",
            "  ./vitrine daemon --socket-path=/tmp/v.sock --shared-dir=/srv \\",
            "    --capture=run.pcapng",
            "  tshark -r run.pcapng -Y 'fuse.opcode == \"WRITE\" &&",
            "    fuse.write_in.write_flags.kill_suidgid == 1'",
            "  tshark -r run.pcapng -Y 'vitrine.syscall.name == \"pwritev2\"'",
            "",
            "Needs a Wireshark with Lua (the last line of tshark --version says so), of version 4 or newer."
                    + " Some builds run no scripts of their user's for root; then use it as somebody else."
        })
public final class WiresharkCommand implements Callable<Integer> {

    private static final String FILE = "vitrine.lua";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--into",
            paramLabel = "DIR",
            description = "Install it there, in a folder that is there, such as for everybody.")
    private Path folder;

    @Option(names = "--print", description = "Print it instead.")
    private boolean print;

    @Option(names = "--uninstall", description = "Remove it again.")
    private boolean uninstall;

    /// Installs, prints or removes it.
    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (print) {
            out.print(Dissector.script());
            out.flush();
            return 0;
        }
        if (folder != null && !uninstall) {
            FileProblem.requireFolder("--into=", folder);
        }
        Path file = (folder != null ? folder : ScriptFolder.ofTheUser()).resolve(FILE);
        if (uninstall) {
            out.println(Files.deleteIfExists(file) ? "removed " + file : "there is no " + file);
            return 0;
        }
        Files.createDirectories(file.getParent());
        Files.writeString(file, Dissector.script());
        out.println("installed " + file);
        out.println("Try: tshark -r run.pcapng -Y 'fuse.opcode == \"WRITE\"'");
        ScriptFolder.whatIsMissing().ifPresent(out::println);
        return 0;
    }
}
