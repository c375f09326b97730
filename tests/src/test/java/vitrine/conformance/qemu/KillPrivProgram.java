package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import vitrine.conformance.guest.Limits;
import vitrine.conformance.rules.Needs;

/// A C program that does everything to every kind of file as everybody, and says what is left
/// (`killpriv.c`): for kernels that run programs.
///
/// @param path where it is
public record KillPrivProgram(Path path) {

    private static final int CASES = 490;

    /// Compiles it into a folder.
    public static KillPrivProgram compiled(Path folder) throws Exception {
        Needs.root();
        Needs.tool("gcc", "gcc");
        Path source = folder.resolve("killpriv.c");
        try (InputStream text = KillPrivProgram.class.getResourceAsStream("killpriv.c")) {
            Files.copy(text, source);
        }
        Path program = folder.resolve("killpriv");
        run(folder, "gcc", "-static", "-Wall", "-o", program.toString(), source.toString());
        return new KillPrivProgram(program);
    }

    /// Runs it on the host, in a directory that everybody may write to.
    public List<String> run(Path directory) throws Exception {
        return run(directory, path.toString());
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

    /// Requires that what it said in a guest is what it said on the host, or a limit.
    public static void requireAsOnHost(String agreement, List<String> onHost, List<String> inGuest) throws Exception {
        Limits limits = Limits.read();
        assertEquals(CASES, inGuest.size());
        for (int i = 0; i < CASES; i++) {
            List<String> host = cells(onHost.get(i));
            List<String> guest = cells(inGuest.get(i));
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
