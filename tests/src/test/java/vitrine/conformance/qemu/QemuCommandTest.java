package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.guest.command.Vitrine;

/// `vitrine qemu` as a person types it, in a home where nothing is prepared. No guest boots here.
class QemuCommandTest {

    @TempDir
    Path home;

    private int exit;
    private String said;

    private void vitrine(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Vitrine.class.getName(),
                "qemu"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        builder.environment().put("XDG_CACHE_HOME", home.toString());
        Process process = builder.start();
        said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        exit = process.waitFor();
    }

    /// Another daemon would get split queues without a word, and the person an answer to another
    /// question.
    ///
    /// Caught: the check removed from `QemuCommand`.
    @Test
    void packedQueuesTakeADaemonThatKnowsThem() throws Exception {
        vitrine("--packed", "--daemon", "c", "--", "true");

        assertEquals(2, exit, said);
        assertTrue(said.contains("--packed"), said);
    }

    /// Without a terminal there is nobody to ask, and without a yes nothing is fetched.
    ///
    /// Caught: no answer taken for a yes.
    @Test
    void nothingIsFetchedWithoutAYes() throws Exception {
        Needs.tool("apt-get", "apt");

        vitrine("--setup-newer", "--mirror", "file:/nowhere");

        assertEquals(125, exit, said);
        assertTrue(said.contains("from file:/nowhere"), said);
        assertTrue(said.contains("say --yes"), said);
        assertEquals(List.of(), filesIn(home));
    }

    /// What cannot be fetched is named, and nothing counts as prepared.
    ///
    /// Caught: the failure of `apt-get update` not looked at.
    @Test
    void aMirrorThatIsNoneIsNamed() throws Exception {
        Needs.tool("apt-get", "apt");

        vitrine("--setup-newer", "--yes", "--mirror", "file:/nowhere");
        assertEquals(125, exit, said);
        assertTrue(said.contains("/nowhere"), said);

        vitrine("--newer", "--", "true");
        assertEquals(125, exit, said);
        assertTrue(said.contains("run ./vitrine qemu --setup-newer"), said);
    }

    /// The newer QEMU is the one that is taken, and says its version.
    ///
    /// Caught: `--newer` that went on with QEMU from the PATH.
    @Test
    void theNewerQemuIsTheOneThatIsTaken() throws Exception {
        Needs.tool("busybox", "busybox-static");
        Path bin = Files.createDirectories(home.resolve("vitrine/newer/bin"));
        for (String program : List.of("qemu-system-x86_64", "virtiofsd")) {
            Path script = Files.writeString(bin.resolve(program), "#!/bin/sh\necho version 99.1\n");
            assertTrue(script.toFile().setExecutable(true));
        }
        Path kernel = KernelFiles.image(home.resolve("boot/vmlinuz"), "9.9");
        Files.createDirectories(home.resolve("lib/modules/9.9"));

        vitrine("--newer", "--kernel", kernel.toString(), "--daemon", "false {socket}", "--", "true");

        assertEquals(125, exit, said);
        assertTrue(said.contains("Linux 9.9 in QEMU 99.1"), said);
    }

    /// There must be something to run, or to prepare.
    @Test
    void aCommandIsNeeded() throws Exception {
        vitrine("--newer");

        assertEquals(2, exit, said);
        assertTrue(said.startsWith("vitrine qemu: Missing required parameter: 'COMMAND'"), said);
    }

    private static List<Path> filesIn(Path folder) throws Exception {
        try (var files = Files.list(folder)) {
            return files.toList();
        }
    }
}
