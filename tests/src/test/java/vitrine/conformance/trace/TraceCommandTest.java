package vitrine.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.guest.command.Vitrine;
import vitrine.trace.CaptureWriter;

/// `vitrine trace FILE`, as a person uses it.
class TraceCommandTest {

    @TempDir
    private Path folder;

    private Path file;
    private String out;
    private String err;

    @BeforeEach
    void capture() throws IOException {
        file = folder.resolve("run.pcapng");
        try (CaptureWriter writer = CaptureWriter.open(file, Map.of("scenario", "killpriv"))) {
            new Events()
                    .killprivWrite()
                    .failedLookup()
                    .cachedRead()
                    .gap(12)
                    .list()
                    .forEach(writer::add);
        }
    }

    private int trace(Object... arguments) {
        StringWriter outText = new StringWriter();
        StringWriter errText = new StringWriter();
        int exit = Vitrine.commandLine()
                .setOut(new PrintWriter(outText))
                .setErr(new PrintWriter(errText))
                .execute(Stream.concat(
                                Stream.of("trace"), Arrays.stream(arguments).map(String::valueOf))
                        .toArray(String[]::new));
        out = outText.toString();
        err = errText.toString();
        return exit;
    }

    @Test
    void tellsEachRequestAndSumsUp() {
        assertEquals(0, trace(file, "--brief", "--width", "80"));

        assertEquals("""
                scenario: killpriv
                #1    WRITE       nodeid 3  fh 1  4096 bytes at 0  [KILL_SUIDGID]  OK     3.8 us
                #2    LOOKUP      nodeid 1  "hello"                            ENOENT     2.6 us
                #3    -           read(3, 100 bytes)                               OK     200 ns
                2 requests, 26 events, 6.9 us
                    requests LOOKUP 1  WRITE 1
                    errors   ENOENT 1
                    kicks    1 sent, 0 suppressed, 1 seen
                    calls    1 sent, 1 suppressed, 0 seen
                    host     capset 1  openat 1  pwritev2 1
                             1.5 host system calls a request
                    lost     12 events in 1 gap
                """, out);
        assertEquals("", err);
    }

    /// What the daemon does to its threads before the first request is no request's cost.
    ///
    /// Seen to catch: all calls divided by the requests.
    @Test
    void onlyWhatRequestsCausedIsTheirCost() throws IOException {
        Events events = new Events();
        try (CaptureWriter writer = CaptureWriter.open(file, Map.of())) {
            events.hostCallOfNobody().killprivWrite().list().forEach(writer::add);
        }

        assertEquals(0, trace(file, "--brief", "--width", "80"));

        assertTrue(out.contains("    2.0 host system calls a request\n"), out);
        assertTrue(out.contains("    1 host system call for no request\n"), out);
    }

    /// An answer on the control socket is no second message.
    ///
    /// Caught: events of both directions counted.
    @Test
    void aMessageAndItsAnswerCountAsOne() throws IOException {
        try (CaptureWriter writer = CaptureWriter.open(file, Map.of())) {
            new Events().askedForFeatures().askedForFeatures().list().forEach(writer::add);
        }

        assertEquals(0, trace(file, "--width", "80"));

        assertTrue(out.contains("    control  GET_FEATURES 2\n"), out);
    }

    @Test
    void filtersChooseRequests() {
        assertEquals(0, trace(file, "--opcode", "write,read"));
        assertTrue(out.contains("#1 WRITE") && !out.contains("#2 LOOKUP") && !out.contains("#3"));
        assertEquals(0, trace(file, "--errors"));
        assertTrue(!out.contains("#1 WRITE") && out.contains("#2 LOOKUP") && !out.contains("#3"));
        assertEquals(0, trace(file, "--unique", "42", "--rings"));
        assertTrue(out.contains("#1 WRITE") && !out.contains("#2 LOOKUP") && out.contains("load acquire"));
        assertEquals(0, trace(file, "--opcode", "MKDIR"));
        assertTrue(out.contains("None of 3 asked for; of all together:"));
    }

    @Test
    void captureThatWasCutOffIsToldAsFarAsItGoes() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 60));

        assertEquals(0, trace(file, "--brief"));

        assertTrue(out.contains("#2    LOOKUP"));
        assertTrue(out.contains("Note: the file ends in the middle of an event"), out);
    }

    @Test
    void whatCannotBeReadIsRefusedInOneSentence() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "hello, world");

        assertEquals(1, trace(text));
        assertEquals("vitrine trace: " + text + ": not a pcapng file\n", err);
        assertEquals(1, trace(folder.resolve("nothing")));
        assertEquals("vitrine trace: " + folder.resolve("nothing") + ": no such file or folder\n", err);
        assertEquals(1, trace(folder));
        assertEquals("vitrine trace: " + folder + ": not a file\n", err);
        assertEquals("", out);
    }

    @Test
    void helpShowsAnExample() {
        assertEquals(0, trace("--help"));
        assertTrue(out.contains("vitrine trace run.pcapng --opcode WRITE"), out);
    }
}
