package vitrine.conformance.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.daemon.JarredClassPath;
import vitrine.conformance.rules.Needs;
import vitrine.daemon.Main;
import vitrine.guest.command.Vitrine;
import vitrine.guest.workload.WorkloadCommand;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// Programs that do the same over and over have done it.
@Timeout(60)
class WorkloadTest {

    @TempDir
    private Path share;

    private Ours workload(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ")));
        words.add("--shared-dir=" + share);
        return Ours.run(new WorkloadCommand(), words);
    }

    /// Caught: appends at the beginning; programs that all use the same file.
    @Test
    void theWorkIsDone() throws Exception {
        assertEquals(0, workload("append --count=96 --bytes=5 --processes=3").exit());
        for (int i = 0; i < 3; i++) {
            assertEquals(32 * 5, Files.size(share.resolve("append-" + i)));
        }

        assertEquals(0, workload("tree --count=64 --files=8 --bytes=100").exit());
        assertEquals(100, Files.size(share.resolve("tree-0/7/7")));

        Ours create = workload("create --count=10");
        assertTrue(create.out().startsWith("create in Linux 6.1: 10 times in "), create.out());
        assertTrue(Files.notExists(share.resolve("create-0")), "what was made is removed");
    }

    /// Caught: JSON without a comma.
    @ParameterizedTest
    @ValueSource(strings = {"append", "lookup", "create", "tree"})
    void theResultIsJsonForWhoWantsIt(String name) {
        String out = workload(name + " --count=20 --files=4 --json").out();

        assertTrue(
                out.strip()
                        .matches("\\{\"workload\": \"" + name
                                + "\", \"kernel\": \"Linux 6.1\", \"count\": 20, \"seconds\": [0-9.]+,"
                                + " \"per_second\": [0-9.]+(, \"p[0-9.]+_us\": [0-9.]+){5}}"),
                out);
    }

    /// Caught: 127402.0 µs.
    @Test
    void timesAreInUnitsThatFit() {
        String out = workload("create --count=500 --processes=100").out();

        List<String> times = out.lines().skip(1).toList();
        assertEquals(5, times.size(), out);
        times.forEach(line -> assertTrue(line.matches("  [0-9.]+ % in [0-9]{1,3}\\.[0-9]{1,2} (µs|ms|s)"), line));
    }

    /// Caught: a histogram for each, which made it 285 KB; it is 84 KB.
    @Test
    void aProgramMoreCostsLittleMemory() {
        workload("create --count=100");
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getTotalThreadAllocatedBytes();

        assertEquals(
                0, workload("create --count=1000 --bytes=1 --processes=1000").exit());

        long each = (threads.getTotalThreadAllocatedBytes() - before) / 1000;
        assertTrue(each < 150_000, each + " bytes for a program");
    }

    /// Caught: ENFILE, which is what our daemon answers at its limit, without the advice.
    @Test
    void howManyDescriptorsAreNeededIsSaid() throws Exception {
        long limit = new Syscalls(Libc.load()).openFileLimit();

        String daemon = String.join(
                " ",
                System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                JarredClassPath.get(),
                Main.class.getName(),
                "--socket-path={socket}",
                "--shared-dir={dir}",
                "--rlimit-nofile=1000");
        Ours ours = Ours.run(
                new WorkloadCommand(),
                List.of("append", "--processes=1000", "--shared-dir=" + share, "--daemon=" + daemon));

        assertEquals(1, ours.exit(), ours.out());
        assertTrue(ours.err().contains("about 2000 descriptors"), ours.err());
        assertTrue(ours.err().contains("may have " + limit + " (ulimit -n)"), ours.err());
    }

    /// Caught: a daemon in this process that is left with the limit that a login has.
    @Test
    void aDaemonInThisProcessHasAsManyOpenFilesAsOneOfItsOwn() throws Exception {
        Needs.root();
        String java = String.join(
                " ",
                System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-MaxFDLimit", // a JVM would do it by itself
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Vitrine.class.getName());
        String line =
                "ulimit -Sn 400; exec " + java + " workload append --processes=400 --count=400 --shared-dir=" + share;

        Process workload =
                new ProcessBuilder("sh", "-c", line).redirectErrorStream(true).start();

        String said = new String(workload.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, workload.waitFor(), said);
    }

    @ParameterizedTest
    @CsvSource({"append --count=x, 2", "append --bytes=2m, 2", "dance, 2", "append --daemon=nobody, 1"})
    void whatCannotBeDoneIsSaid(String line, int exit) {
        Ours ours = workload(line);

        assertEquals(exit, ours.exit(), ours.err());
        assertTrue(!ours.err().isBlank());
    }
}
