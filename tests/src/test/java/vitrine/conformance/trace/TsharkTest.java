package vitrine.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.trace.CaptureWriter;
import vitrine.trace.TraceEvent;

/// The capture is a pcapng file for others, too.
class TsharkTest {

    @TempDir
    private Path folder;

    /// Seen to catch: the two words of a time in the wrong order; padding that was not counted.
    @Test
    void tsharkReadsACapture() throws Exception {
        Needs.tool("tshark", "tshark");
        Path file = folder.resolve("run.pcapng");
        List<TraceEvent> events = new Events().killprivWrite().failedLookup().list();
        try (CaptureWriter writer = CaptureWriter.open(file, Map.of("scenario", "killpriv"))) {
            events.forEach(writer::add);
        }

        List<String> packets =
                tshark(file, "-T", "fields", "-e", "frame.time_epoch", "-e", "frame.interface_name", "-e", "frame.len");

        assertEquals(events.size(), packets.size());
        assertEquals("1.000000100\tguest program", packets.getFirst().substring(0, 25));
        assertTrue(packets.stream().anyMatch(packet -> packet.contains("\thost\t")), () -> "" + packets);
        assertEquals(events.size(), tshark(file).size());
    }

    private static List<String> tshark(Path file, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", file.toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), out);
        return out.lines().toList();
    }
}
