package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.conformance.rules.Needs;
import vitrine.conformance.rules.Repository;
import vitrine.guest.hostile.Lie;
import vitrine.guest.hostile.Outcome;
import vitrine.guest.hostile.Subject;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.OtherDaemon;

/// docs/hostile.md says what comes of each lie, and so it is.
@Timeout(120)
class HostileTableTest {

    private static final String FILE = "docs/hostile.md";
    private static final String RUST_VERSION = "virtiofsd 1.14.0";
    private static final String SUM = "an honest guest goes on";
    private static final String HEAD = "| what the guest does | Vitrine | C | Rust |\n|---|---|---|---|\n";

    @TempDir
    private Path folder;

    /// Of the page's table, by the first cell of a row: the others.
    private static Map<String, List<String>> table(String page) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        page.lines().filter(line -> line.startsWith("| ")).forEach(line -> {
            List<String> cells = List.of(line.substring(2, line.length() - 2).split(" \\| "));
            rows.put(cells.getFirst(), cells.subList(1, cells.size()));
        });
        return rows;
    }

    private static String cell(Outcome outcome) {
        return outcome.isHarm() ? "**" + outcome + "**" : outcome.toString();
    }

    private Map<String, String> outcomes(Subject subject) throws Exception {
        Map<String, String> outcomes = new LinkedHashMap<>();
        for (Lie lie : Lie.all(1000, 1)) {
            outcomes.put(lie.claim(), cell(subject.hear(lie)));
        }
        return outcomes;
    }

    private Map<String, String> outcomes(OtherDaemon daemon) throws Exception {
        Path own = Files.createDirectory(folder.resolve(daemon.name()));
        DaemonProgram program = Subject.program(daemon.name().toLowerCase(Locale.ROOT));
        try (Subject subject = Subject.started(DaemonProcess.SYS, program, own)) {
            return outcomes(subject);
        }
    }

    private static boolean isHere(OtherDaemon daemon) throws IOException, InterruptedException {
        try {
            Process version = new ProcessBuilder(daemon.command().getFirst(), "--version").start();
            String said = new String(version.getInputStream().readAllBytes());
            return daemon == OtherDaemon.C || said.startsWith(RUST_VERSION);
        } catch (GuestFailedException _) {
            return false;
        }
    }

    /// One process of the daemon survives all lies, and does each time what is right.
    ///
    /// Caught: a count of BATCH_FORGET that is believed; a queue that does not say that it stops; a
    /// message that is not known taken for the end of the connection.
    @Test
    void ourDaemonSurvivesAllLies() throws Exception {
        Needs.root();
        Path share = Files.createDirectory(folder.resolve("share"));
        Map<String, String> right = new LinkedHashMap<>();
        String[] options = ("--keep-listening " + Subject.OPTIONS).split(" ");
        Lie.all(1000, 1).forEach(lie -> right.put(lie.claim(), lie.right()));
        try (DaemonProcess daemon = DaemonProcess.serving(folder, share, options);
                Subject subject = Subject.found(DaemonProcess.SYS, daemon.socket())) {
            assertEquals(right, outcomes(subject));
        }
    }

    /// Caught: a cell of the page that was changed.
    @Test
    void thePageIsWhatTheOthersDo() throws Exception {
        Needs.root();
        Map<OtherDaemon, Map<String, String>> others = new LinkedHashMap<>();
        for (OtherDaemon daemon : OtherDaemon.values()) {
            if (isHere(daemon)) {
                others.put(daemon, outcomes(daemon));
            }
        }
        Needs.that(!others.isEmpty(), "needs QEMU's virtiofsd or " + RUST_VERSION);
        if ("1".equals(System.getenv("VITRINE_REGENERATE"))) {
            write(others);
        }
        Map<String, List<String>> page = table(Repository.read(FILE));
        for (Lie lie : Lie.all(1000, 1)) {
            List<String> expected = new ArrayList<>(page.getOrDefault(lie.claim(), List.of("", "", "")));
            expected.set(0, lie.right());
            others.forEach((daemon, outcomes) -> expected.set(1 + daemon.ordinal(), outcomes.get(lie.claim())));
            assertEquals(expected, page.get(lie.claim()), lie.claim());
        }
        assertEquals(sum(page), page.get(SUM));
    }

    /// After how many lies each of the three serves an honest guest.
    private static List<String> sum(Map<String, List<String>> page) {
        List<Lie> lies = Lie.all(1000, 1);
        return IntStream.range(0, 3)
                .mapToObj(i -> lies.stream()
                                .filter(lie -> !page.get(lie.claim()).get(i).startsWith("**"))
                                .count()
                        + " of " + lies.size())
                .toList();
    }

    private static void write(Map<OtherDaemon, Map<String, String>> others) throws IOException {
        assertEquals(OtherDaemon.values().length, others.size(), "all must be here to write the page");
        String page = Repository.read(FILE);
        StringBuilder text = new StringBuilder(page.substring(0, page.lastIndexOf("```\n") + 4) + "\n");
        String group = "";
        for (Lie lie : Lie.all(1000, 1)) {
            if (!lie.group().equals(group)) {
                group = lie.group();
                text.append("## ").append(group).append("\n\n").append(HEAD);
            }
            text.append("| ").append(lie.claim()).append(" | ").append(lie.right());
            others.values().forEach(outcomes -> text.append(" | ").append(outcomes.get(lie.claim())));
            text.append(" |\n");
        }
        String tables = text.toString().replace("|\n## ", "|\n\n## ");
        Map<String, List<String>> rows = table(tables);
        rows.keySet().removeIf(claim -> rows.get(claim).contains("Vitrine"));
        String sum = "\n## In all\n\n" + HEAD + "| " + SUM + " | " + String.join(" | ", sum(rows)) + " |\n";
        Files.writeString(Repository.ROOT.resolve(FILE), tables + sum);
    }
}
