package vitrine.guest.hostile;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.NamePattern;
import vitrine.guest.qemu.ShellWords;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// `vitrine hostile`: what a daemon makes of a guest that lies.
@Command(
        name = "hostile",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lies to virtiofsds, as the kernel of an attacker's guest could: requests that are cut off, lengths that"
                    + " are not true, descriptors that lead nowhere, rings that contradict themselves. After each lie"
                    + " comes an honest request. Prints what is right, and what each daemon did.",
            "",
            "A daemon that a lie has ended is started anew for the next one. C and Rust need root, ours does not.",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:an honest guest was served after each lie",
            "1:some daemon ended, was silent, or lost its session",
            "2:wrong usage"
        },
        footer = {
            "",
            "Example: a daemon of your own, on a socket, that serves one front end after the other",
            "  ./vitrine hostile --socket-path=/run/mine.sock",
            "Example: three daemons beside each other",
            "  ./vitrine hostile --daemon=ours --daemon=c --daemon=rust"
        })
public final class HostileCommand implements Callable<Integer> {

    private static final int FAILED = 1;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "0..1")
    private Who who = new Who();

    static final class Who {
        @Option(
                names = "--daemon",
                paramLabel = "WHICH",
                description = "ours; c for QEMU's own virtiofsd, rust for the other; or a command line with {socket}"
                        + " and {dir} in it; to be repeated (default: ours)")
        private List<String> daemons = List.of("ours");

        @Option(
                names = "--socket-path",
                paramLabel = "S",
                description = "the virtiofsd that listens here, with a share of which nobody needs anything; once"
                        + " it has ended, it is not lied to any more")
        private Path socket;
    }

    @Option(
            names = "--only",
            converter = NamePattern.class,
            paramLabel = "REGEX",
            defaultValue = "",
            description = "only lies with this in their name")
    private Pattern only;

    @Option(
            names = "--tries",
            paramLabel = "N",
            defaultValue = "1000",
            description = "requests of which some bytes are changed at random (default: ${DEFAULT-VALUE})")
    private int tries;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "which bytes, and to what (default: ${DEFAULT-VALUE})")
    private long seed;

    /// Lies, and prints each row when it is known.
    @Override
    public Integer call() throws GuestFailedException, IOException, InterruptedException {
        List<Lie> lies = Lie.all(tries, seed).stream()
                .filter(lie -> only.matcher(lie.claim()).find())
                .toList();
        require(tries > 0, "--tries: at least 1");
        require(!lies.isEmpty(), "--only=" + only + ": there is no such lie");
        who.daemons.forEach(daemon -> require(DaemonProgram.isChoice(daemon), DaemonProgram.unknown(daemon)));
        Syscalls sys = new Syscalls(Libc.load());
        List<Subject> subjects = new ArrayList<>();
        try (TemporaryFolder folder = TemporaryFolder.named("vitrine-hostile-")) {
            try {
                if (who.socket != null) {
                    subjects.add(Subject.found(sys, who.socket));
                    return tell(lies, List.of("daemon"), subjects);
                }
                for (String daemon : who.daemons) {
                    Path own = Files.createDirectory(folder.path().resolve("daemon-" + subjects.size()));
                    subjects.add(Subject.started(sys, Subject.program(daemon), own));
                }
                List<String> names =
                        who.daemons.stream().map(HostileCommand::shortName).toList();
                return tell(lies, names, subjects);
            } finally {
                subjects.forEach(Subject::close);
            }
        }
    }

    private int tell(List<Lie> lies, List<String> names, List<Subject> subjects)
            throws GuestFailedException, IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        HostileTable table = new HostileTable(names);
        for (Lie lie : lies) {
            List<Outcome> outcomes = new ArrayList<>();
            for (Subject subject : subjects) {
                outcomes.add(subject.hear(lie));
            }
            if (lie == lies.getFirst()) { // now it is known that there is somebody who hears
                out.println(table.head());
            }
            table.row(lie, outcomes).forEach(out::println);
            out.flush();
        }
        out.println(table.sum());
        out.flush();
        return table.isHarmless() ? 0 : FAILED;
    }

    private void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new CommandLine.ParameterException(spec.commandLine(), otherwise);
        }
    }

    private static String shortName(String daemon) {
        return Path.of(ShellWords.split(daemon).getFirst()).getFileName().toString();
    }
}
