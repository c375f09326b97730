package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.conformance.guest.Limits;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Result;
import vitrine.guest.qemu.Share;

/// Set-ID bits and capabilities in a real Linux guest: one program tries everything, in the guest
/// and on the host.
class KillPrivGuestTest {

    @TempDir
    private Path folder;

    private Path program;

    @BeforeEach
    void compile() throws Exception {
        Needs.root();
        Needs.tool("qemu-system-x86_64", "qemu-system-x86");
        Needs.tool("gcc", "gcc");
        Path source = folder.resolve("killpriv.c");
        try (InputStream text = getClass().getResourceAsStream("killpriv.c")) {
            Files.copy(text, source);
        }
        program = folder.resolve("killpriv");
        run(folder, "gcc", "-static", "-Wall", "-o", program.toString(), source.toString());
    }

    private static List<String> run(Path directory, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output.lines().toList();
    }

    private Path directory(String name) throws Exception {
        Path directory = Files.createDirectory(folder.resolve(name));
        Files.setAttribute(directory, "unix:mode", 0777);
        return directory;
    }

    /// What is left is what the host leaves, or what `docs/limits.md` says.
    ///
    /// Caught: an empty SETATTR obeyed whoever sends it.
    @ParameterizedTest
    @CsvSource({"V2, --xattr", "none, --xattr --no-killpriv-v2"})
    void whatIsLeftIsWhatTheHostWouldLeave(String agreement, String options) throws Exception {
        List<String> onHost = run(directory("host"), program.toString());
        Hardware hardware = Hardware.small().with(program.toString()).within(Duration.ofMinutes(4));
        Share share = Share.of(directory("share"));

        Result inGuest = new QemuGuest(hardware, share, DaemonProgram.of("ours", options)).run(program.toString());

        assertEquals(0, inGuest.exitCode(), inGuest::errors);
        List<String> lines = inGuest.output().lines().toList();
        assertEquals(490, lines.size());
        Limits limits = Limits.read();
        for (int i = 0; i < lines.size(); i++) {
            List<String> host = cells(onHost.get(i));
            List<String> guest = cells(lines.get(i));
            assertEquals(host.subList(0, 4), guest.subList(0, 4));
            boolean capabilities = !host.get(3).isEmpty();
            Limits.Case it = new Limits.Case(host.get(0), host.get(1), host.get(2), capabilities);
            limits.require(agreement, it, host.get(4), guest.get(4));
        }
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split("\\|")).map(String::strip).toList();
    }
}
