package vitrine.conformance.wireshark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import vitrine.conformance.rules.Needs;
import vitrine.guest.wireshark.Dissector;

/// tshark with the dissector, and nothing else of its user's.
final class Tshark {

    private final Path script;
    private final Path home;

    /// @param folder for the script, and for what tshark keeps
    Tshark(Path folder) throws IOException {
        Needs.tool("tshark", "tshark");
        script = Files.writeString(folder.resolve("vitrine.lua"), Dissector.script());
        home = Files.createDirectory(folder.resolve("home"));
    }

    /// What it prints about a capture, line by line.
    List<String> read(Path capture, String... options) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("tshark", "-X", "lua_script:" + script, "-r", capture.toString()));
        command.addAll(List.of(options));
        Path errors = home.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().put("HOME", home.toString());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> out + said(errors));
        List<String> said = Files.readAllLines(errors).stream()
                .filter(line -> line.contains("Lua") && !line.contains("superuser"))
                .toList();
        assertEquals(List.of(), said, "the script fails");
        return out.lines().toList();
    }

    /// The lines of all packets that a display filter lets through.
    List<String> shown(Path capture, String filter) throws IOException, InterruptedException {
        return read(capture, "-Y", filter);
    }

    /// How many packets each of the filters lets through.
    List<Long> counts(Path capture, String... filters) throws IOException, InterruptedException {
        String table = String.join("\n", read(capture, "-q", "-z", "io,stat,0," + String.join(",", filters)));
        String row =
                table.substring(table.lastIndexOf("<>")); // the one interval: FROM <> TO | frames | bytes | frames ...
        String[] cells = row.split("\n")[0].split("\\|");
        return IntStream.range(0, filters.length)
                .mapToObj(i -> Long.parseLong(cells[1 + 2 * i].strip()))
                .toList();
    }

    private static String said(Path errors) {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
