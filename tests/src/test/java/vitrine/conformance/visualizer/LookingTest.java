package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.trace.CaptureWriter;
import vitrine.visualizer.command.Looking;
import vitrine.visualizer.scenario.Link;
import vitrine.visualizer.timeline.Run;

/// The commands that look at runs, as somebody types them.
class LookingTest {

    @TempDir
    Path folder;

    private record Said(int code, String out, String err) {}

    private static Said say(String... arguments) {
        Needs.root();
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Looking.run(new PrintWriter(out), new PrintWriter(err), arguments);
        return new Said(code, out.toString(), err.toString());
    }

    @Test
    void picturesComeInThreeForms() throws IOException {
        for (String form : List.of("svg", "png", "gif")) {
            Path file = folder.resolve("x." + form);

            Said said = say("render", "first-byte@last-read?view=path", "-o", file.toString(), "--width", "800");

            assertEquals(new Said(0, "", ""), said);
            assertTrue(Files.size(file) > 2_000, form);
        }
        assertTrue(Files.readString(folder.resolve("x.svg")).contains("READ, 4 descriptors"));
        assertEquals(800, ImageIO.read(folder.resolve("x.png").toFile()).getWidth());
        ImageReader gif = ImageIO.getImageReadersByFormatName("gif").next();
        gif.setInput(ImageIO.createImageInputStream(folder.resolve("x.gif").toFile()));
        assertTrue(gif.getNumImages(true) > 10);
    }

    @Test
    void captureFileIsARunLikeAnyOther() throws IOException {
        Run run = Runs.of("first-byte");
        Path file = folder.resolve("run.pcapng");
        try (CaptureWriter writer = CaptureWriter.open(file, run.about())) {
            IntStream.range(0, run.size()).mapToObj(run::event).forEach(writer::add);
        }

        assertEquals("1\n", say("query", file.toString(), "count(op == READ)").out());
        assertEquals(
                say("export", "first-byte", "--csv").out(),
                say("export", file.toString(), "--csv").out());
    }

    /// What a daemon recorded has no kicks: the cost of it says so, and so does an answer about
    /// them.
    ///
    /// Seen to catch: 0 kicks as a fact.
    @Test
    void theCaptureOfADaemonDoesNotCountWhatItCannotSee() throws IOException {
        Run run = Runs.asItsDaemonSawIt("first-byte");
        Path file = folder.resolve("daemon.pcapng");
        try (CaptureWriter writer = CaptureWriter.open(file, run.about())) {
            IntStream.range(0, run.size()).mapToObj(run::event).forEach(writer::add);
        }

        Said kicks = say("query", file.toString(), "count(kick)");

        assertEquals("0\n", kicks.out());
        assertTrue(kicks.err().startsWith("note: this is what a daemon noted of itself. Kicks"), kicks.err());
        assertEquals(
                "",
                say("query", file.toString(), "count(host.syscall != \"kick\")").err());
        assertEquals("", say("query", "first-byte", "count(kick)").err());
        assertTrue(
                say("diff", file.toString(), "first-byte", "--md").out().contains("| kicks | not seen from here | "));
    }

    /// A capture file is somebody's claim: a broken one is an error with a sentence.
    @Test
    void brokenCaptureFileIsAnErrorThatSaysWhy() throws IOException {
        Path file = folder.resolve("broken.pcapng");
        Files.writeString(file, "not a capture at all");

        Said said = say("query", file.toString(), "req");

        assertEquals(2, said.code());
        assertTrue(said.err().contains("broken.pcapng: not a pcapng file"), said.err());
    }

    /// Seen to catch: a comparison of one run drawn.
    @Test
    void whatIsWrongIsSaidInASentence() {
        Map<List<String>, String> complaints = Map.of(
                List.of("render", "first-byt", "-o", "x.svg"), "there is no scenario 'first-byt'; there are first-byte",
                List.of("render", "first-byte", "-o", "x.bmp"), "its ending must be .svg, .png or .gif",
                List.of("render", "first-byte@nowhere", "-o", "x.svg"), "this run has no moment 'nowhere'",
                List.of("render", "first-byte?view=moon", "-o", "x.svg"), "there is no view 'moon'; there are path",
                List.of("render", "first-byte?view=compare", "-o", "x.svg"), "add &b=SCENARIO",
                List.of("render", "first-byte?moon=1", "-o", "x.svg"), "known are view=, sel=, b=, filter= and v=",
                List.of("render", "first-byte", "-o", "x.svg", "--theme", "pink"), "there are light, dark and lecture",
                List.of("query", "no/such.pcapng", "req"), "no such file or folder",
                List.of("query", "first-byte", "op = READ"), "   ^ to compare, write ==");
        complaints.forEach((arguments, complaint) -> assertRefused(arguments, complaint));
    }

    private static void assertRefused(List<String> arguments, String complaint) {
        Said said = say(arguments.toArray(String[]::new));

        assertTrue(said.code() != 0, arguments.toString());
        assertTrue(said.err().contains(complaint), arguments + ": " + said.err());
    }

    /// Seen to catch: a missing argument that hid an unknown option.
    @Test
    void whatIsWrongWithTheCommandLineIsSaidToo() {
        Map<List<String>, String> complaints = Map.of(
                List.of("render", "--format", "nosuch"), "vitrine render: Unknown option: '--format'",
                List.of("diff", "--nosuch"), "vitrine diff: Unknown option: '--nosuch'",
                List.of("diff", "first-byte", "first-byte", "--width=-1"), "--width=-1: 60 columns or more",
                List.of("query", "first-byte", "req", "--limit=-1"), "--limit=-1: 0 or more");
        complaints.forEach((arguments, complaint) -> assertRefused(arguments, complaint));
    }

    /// As of diff(1).
    ///
    /// Seen to catch: 0 for runs that differ.
    @Test
    void exitCodeOfAComparisonSaysWhetherThereIsADifference() {
        assertEquals(0, say("diff", "first-byte", "first-byte").code());
        assertEquals(1, say("diff", "killpriv-off", "killpriv-on").code());
        assertEquals(2, say("diff", "first-byte", "nosuch").code());
    }

    /// Seen to catch: 0 for a no.
    @Test
    void exitCodeOfAQuestionIsItsAnswer() {
        assertEquals(
                0, say("query", "killpriv-on", "count(op == GETXATTR) <= 1").code());
        assertEquals(
                1, say("query", "killpriv-off", "count(op == GETXATTR) <= 1").code());
        assertEquals(1, say("query", "killpriv-off", "op == MKDIR").code());
    }

    @Test
    void otherToolsGetTheirForms() {
        String diagram = say("export", "first-byte@first-read", "--mermaid").out();
        assertTrue(diagram.startsWith("sequenceDiagram\n    participant A as guest app"), diagram);
        assertTrue(diagram.contains("    D->>H: preadv2(fd "), diagram);
        String json = say("export", "first-byte", "--perfetto").out();
        assertTrue(json.contains("{\"ph\":\"X\",\"name\":\"READ\",\"pid\":1,\"tid\":2,"), json);
        assertTrue(say("diff", "killpriv-off", "killpriv-on", "--md").out().contains("| requests | "));
    }

    @Test
    void linkIsTheSameAfterItWasWritten() {
        for (String text : List.of(
                "vitrine:first-byte@start",
                "vitrine:killpriv-off@first-getxattr?view=rings&sel=desc-2&b=killpriv-on",
                "vitrine:/tmp/run.pcapng@step-17?filter=op+%3D%3D+WRITE+%26%26+size+%3E+4096")) {
            assertEquals(text, Link.parse(text).toString());
        }
    }
}
