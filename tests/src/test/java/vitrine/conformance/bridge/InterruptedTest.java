package vitrine.conformance.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.conformance.daemon.JarredClassPath;
import vitrine.conformance.rules.Needs;
import vitrine.guest.command.Vitrine;

/// Commands that are interrupted leave nothing behind: no mount, no process, no folder. Each is a
/// process of its own, as from a terminal.
@Timeout(60)
class InterruptedTest {

    private static final int HANG_UP_AND_OTHERS = 128;

    @TempDir
    private Path folder;

    private Process start(List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")),
                "-cp",
                JarredClassPath.get(),
                Vitrine.class.getName()));
        command.addAll(words);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said().toFile())
                .redirectInput(new File("/dev/null"))
                .start();
    }

    private Path said() {
        return folder.resolve("said");
    }

    /// Where mounts are below our folder.
    private List<String> mounts() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/mountinfo"))) {
            return lines.filter(line -> line.contains(folder.toString())).toList();
        }
    }

    private List<String> processes() {
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.contains(folder.toString()))
                .toList();
    }

    private void await(Process process, Predicate<Process> condition) throws Exception {
        while (!condition.test(process)) {
            assertTrue(process.isAlive(), () -> said(said()));
            Thread.sleep(20);
        }
    }

    private static String said(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private boolean hasFio(Process process) {
        return process.descendants()
                .anyMatch(child -> child.info()
                        .command()
                        .map(name -> name.endsWith("/fio"))
                        .orElse(false));
    }

    /// Caught: folders that are deleted while something is still mounted in them; an fio that goes
    /// on; a mount point that stays; no hook for the mount.
    @ParameterizedTest
    @CsvSource({
        "INT, experiment killpriv --guest=bridge --slice=60000",
        "TERM, experiment killpriv --guest=bridge --slice=60000 --daemon=c",
        "TERM, fio --guest=bridge --name=x --size=1m --time_based --runtime=60 --rw=randwrite"
    })
    void nothingIsLeftOfAMount(String signal, String line) throws Exception {
        Needs.root();
        Needs.file("/dev/fuse", "modprobe fuse");
        Needs.tool("fio", "fio");

        Process process = start(List.of(line.split(" ")));
        await(process, this::hasFio);
        List<ProcessHandle> children = process.descendants().toList();
        assertTrue(!mounts().isEmpty());

        new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();

        assertTrue(process.waitFor(20, TimeUnit.SECONDS), () -> said(said()));
        assertEquals(HANG_UP_AND_OTHERS + (signal.equals("INT") ? 2 : 15), process.exitValue(), said(said()));
        assertEquals(List.of(), mounts());
        assertEquals(List.of(), processes());
        children.forEach(child -> assertTrue(!child.isAlive(), child.info().toString()));
        assertEquals(List.of(), left());
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("tmp"))) {
            return files.skip(1).toList();
        }
    }

    /// Caught: a second mount on top of the first.
    @Test
    void whereSomethingIsMountedNothingElseIs() throws Exception {
        Needs.root();
        Needs.file("/dev/fuse", "modprobe fuse");
        Path share = Files.createDirectory(folder.resolve("share"));
        Path mountPoint = Files.createDirectory(folder.resolve("a place"));
        new ProcessBuilder("mount", "-t", "tmpfs", "none", mountPoint.toString())
                .start()
                .waitFor();

        try {
            Process second = start(List.of("mount", "--shared-dir=" + share, "--daemon=c", mountPoint.toString()));

            assertTrue(second.waitFor(20, TimeUnit.SECONDS));
            assertEquals(1, second.exitValue());
            assertTrue(said(said()).contains("is mounted on " + mountPoint + " already: umount"), said(said()));
            assertEquals(1, mounts().size(), mounts()::toString);
        } finally {
            new ProcessBuilder("umount", mountPoint.toString()).start().waitFor();
        }
    }
}
