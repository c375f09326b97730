package vitrine.guest.program;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import vitrine.guest.GrowthOption;
import vitrine.guest.KernelOptions;
import vitrine.guest.MachineOptions;
import vitrine.guest.process.OwnUser;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.HardwareOptions;

/// `vitrine program`: performs programs, and shows what their kernel sends beside what is expected.
@Command(
        name = "program",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Performs small programs, and shows which requests each of their system calls causes, beside those that"
                    + " it should cause. docs/client.md lists them all.",
            "",
            "What it should cause is known of Linux 6.1 and newer. With an older kernel what differs is marked with"
                    + " ~ and named at the end, and is no failure.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ./vitrine program --list",
            "  ./vitrine program stat-twice",
            "  ./vitrine program --without=killpriv-v2 set-id-write.v2 (another kernel)",
            "  sudo ./vitrine program --guest bridge          (all, with this kernel)",
            "  sudo ./vitrine program --guest qemu dup rename (in a real guest)"
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all was as expected, or the kernel is older than 6.1",
            "1:it was not, or could not be tried",
            "2:the command line is wrong"
        })
public final class ProgramCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofMinutes(10); // with all programs

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "which programs; all unless said")
    private List<String> names = List.of();

    @Option(
            names = "--guest",
            paramLabel = "WHICH",
            defaultValue = "model",
            description = "whose kernel: the model's; bridge, this host's own (takes root, /dev/fuse and gcc); qemu, a"
                    + " real guest's (takes root, QEMU and gcc) (default: ${DEFAULT-VALUE})")
    private String guest;

    @Mixin
    private KernelOptions kernel;

    @Mixin
    private HardwareOptions hardware;

    @Option(
            names = "--dax",
            description = "those programs that need a DAX window (in a real guest it takes QEMU 11: --newer)")
    private boolean dax;

    @Mixin
    private GrowthOption growth;

    @Option(names = "--list", description = "name the programs, and say what is to be seen in them")
    private boolean list;

    @Spec
    private CommandSpec spec;

    /// Performs them; 0 if all was as expected.
    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        List<Program> chosen = chosen();
        if (list) {
            chosen.forEach(program -> out.printf("%-24s %s%n", program.name(), program.claim()));
            out.flush();
            return 0;
        }
        Performer performer = performer();
        Client client = performer.client();
        List<Program> possible =
                chosen.stream().filter(program -> program.isFor(client)).toList();
        if (possible.isEmpty()) {
            throw new IOException(
                    "nothing for " + client + " to do: " + chosen.getFirst().name() + " needs "
                            + chosen.getFirst().needs().text());
        }
        if (!guest.equals("qemu") && !OwnUser.now().isRoot()) {
            throw new IOException("needs root: its files and its callers are several users'");
        }
        List<Performance> performances = performer.perform(possible);
        performances.forEach(performance -> show(performance, out));
        List<String> differing = performances.stream()
                .filter(performance -> !performance.isAsExpected())
                .map(performance -> performance.program().name())
                .toList();
        out.printf(
                "%s: %d of %d programs as expected%s%n",
                client + kernel.changes() + growth.changes(),
                performances.size() - differing.size(),
                performances.size(),
                client.isKnown() ? "" : " of Linux " + Client.FIRST + " and newer");
        if (!client.isKnown() && !differing.isEmpty()) {
            out.println("Linux " + client.version() + " is older, so it is no failure that these differ: "
                    + String.join(", ", differing));
        }
        out.flush();
        return differing.isEmpty() || !client.isKnown() ? 0 : 1;
    }

    private List<Program> chosen() {
        List<Program> all = Programs.all();
        for (String name : names) {
            if (all.stream().noneMatch(program -> program.name().equals(name))) {
                throw new ParameterException(
                        spec.commandLine(), "there is no program " + name + "; ./vitrine program --list names them");
            }
        }
        return all.stream()
                .filter(program -> names.isEmpty() || names.contains(program.name()))
                .toList();
    }

    private Performer performer() throws IOException {
        try {
            return performer(guest);
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Performer performer(String kind) throws GuestFailedException {
        if (!kind.equals("model") && (kernel.isChanged() || growth.isChanged())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--with, --without and --extending-write change the model's kernel; --guest " + kind
                            + " has a real one");
        }
        return switch (kind) {
            case "model" ->
                new ModelGuest(
                        kernel.version(),
                        dax,
                        MachineOptions.DEFAULT.withKernel(kernel.kernel()).withExtendingWrite(growth.of(dax)));
            case "bridge" -> new BridgeGuest();
            case "qemu" -> new RealGuest(hardware.small(PATIENCE), kernel.version(), dax);
            default -> throw new ParameterException(spec.commandLine(), "--guest " + guest + ": model, bridge or qemu");
        };
    }

    private static void show(Performance performance, PrintWriter out) {
        Program program = performance.program();
        out.println(program.name() + ": " + program.claim());
        for (Performance.Row row : performance.rows()) {
            String call = String.format("%-34s", row.call());
            boolean known = performance.client().isKnown();
            if (row.isAsExpected()) {
                out.println("    " + call + " " + text(row.seen()));
            } else {
                String seen = known ? "not: " : "old: ";
                out.println((known ? "  ! " : "  ~ ") + call + " " + text(row.expected()));
                out.println("    " + " ".repeat(call.length() - 4) + seen + text(row.seen()));
            }
        }
        out.println();
    }

    private static String text(Seen seen) {
        String error = seen.error().isEmpty() ? "" : "→ " + seen.error() + " ";
        return error + "| " + String.join(", ", seen.requests());
    }
}
