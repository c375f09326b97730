package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.RawBytes;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Sender;
import vitrine.visualizer.export.Tables;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.timeline.Difference;
import vitrine.visualizer.timeline.Difference.Row;
import vitrine.visualizer.timeline.Difference.Verdict;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// Two runs side by side: no request is lost, none is told twice, and each stays in its place.
class DifferenceTest {

    /// Seen to catch: whatever only the second run has told first, matches or not.
    @Test
    void killprivCostsAQuestionAWrite() {
        Difference difference = Difference.of(Runs.of("killpriv-off"), Runs.of("killpriv-on"));

        assertEquals("7 GETXATTR", difference.onlyIn(Verdict.ONLY_FIRST));
        assertEquals("", difference.onlyIn(Verdict.ONLY_SECOND));
        assertEquals(
                "| 4 | `GETXATTR security.capability` | - |  |",
                Tables.markdown(Runs.of("killpriv-off"), Runs.of("killpriv-on")).stream()
                        .filter(line -> line.startsWith("| 4"))
                        .findFirst()
                        .orElseThrow());
    }

    /// One run looks at the file once more, at the beginning: what comes after has other numbers
    /// and is the same.
    ///
    /// Seen to catch: system calls that correspond by their numbers.
    @Test
    void oneSystemCallMoreMovesNoOther() {
        Run shorter = calls("open:OPEN", "write:GETXATTR,WRITE", "write:GETXATTR,WRITE", "close:FLUSH");
        Run longer = calls("stat:GETATTR", "open:OPEN", "write:GETXATTR,WRITE", "write:WRITE", "lseek:", "close:FLUSH");

        List<String> rows = Difference.of(shorter, longer).rows().stream()
                .map(row -> row.call() + " " + row.verdict().sign() + " "
                        + row.first().or(row::second).orElseThrow().opcode())
                .toList();

        assertEquals(
                List.of(
                        "1 + GETATTR",
                        "1 / 2 = OPEN",
                        "2 / 3 = GETXATTR",
                        "2 / 3 = WRITE",
                        "3 - GETXATTR",
                        "3 / 4 = WRITE",
                        "5 + ",
                        "4 / 6 = FLUSH"),
                rows);
    }

    /// Some thousand system calls, of which one run leaves one out every so often.
    ///
    /// Seen to catch: pieces of which the second half was taken as well.
    @Test
    void longRunsAreAlignedPieceByPiece() {
        List<String> all = IntStream.range(0, 5_000)
                .mapToObj(i -> i % 7 == 3 ? "stat" + i % 5 + ":GETATTR" : "write:WRITE")
                .toList();
        List<String> fewer = IntStream.range(0, 5_000)
                .filter(i -> i % 1000 != 999)
                .mapToObj(all::get)
                .toList();

        Difference difference = Difference.of(calls(all.toArray(String[]::new)), calls(fewer.toArray(String[]::new)));

        assertEquals(fewer.size(), difference.count(Verdict.SAME));
        assertEquals(5, difference.count(Verdict.ONLY_FIRST));
        assertEquals(all.size(), difference.rows().size());
    }

    /// A run with these system calls and, after a colon, the requests that each of them makes.
    private static Run calls(String... calls) {
        List<TraceEvent> events = new ArrayList<>();
        long unique = 0;
        for (int i = 0; i < calls.length; i++) {
            String name = calls[i].split(":")[0];
            List<String> requests = Stream.of(
                            calls[i].substring(name.length() + 1).split(","))
                    .filter(opcode -> !opcode.isEmpty())
                    .toList();
            events.add(new TraceEvent.GuestCallEntered(at(events, Keys.ofGuestCall(i + 1)), name, ""));
            for (String opcode : requests) {
                Keys keys = new Keys(1, (int) (++unique % 8), unique, i + 1);
                events.add(new TraceEvent.RequestQueued(at(events, keys), opcode, false, List.of()));
                events.add(new TraceEvent.RequestDecoded(
                        at(events, keys), opcode, new Sender(1, 0, 0, 1), List.of(), RawBytes.EMPTY));
                events.add(new TraceEvent.ChainPushed(at(events, keys), 16));
            }
            events.add(new TraceEvent.GuestCallReturned(at(events, Keys.ofGuestCall(i + 1)), name, 0, 0));
        }
        return Run.of(events, Map.of());
    }

    private static Stamp at(List<TraceEvent> before, Keys keys) {
        return new Stamp(before.size(), Actor.GUEST_KERNEL, "stepped", keys);
    }

    @Test
    void eachSideIsWholeAndInOrder() {
        for (List<Scenario> pair : Gallery.EXPERIMENTS) {
            Run first = Runs.of(pair.getFirst().name());
            Run second = Runs.of(pair.getLast().name());

            List<Row> rows = Difference.of(first, second).rows();

            assertEquals(
                    requests(first), side(rows, Row::first), pair.getFirst().name());
            assertEquals(
                    requests(second), side(rows, Row::second), pair.getLast().name());
        }
    }

    /// A write that failed is not the same as one that did not.
    ///
    /// Seen to catch: answers that nobody compares.
    @Test
    void anotherAnswerIsADifference() {
        List<String> lines = Tables.markdown(Runs.of("killpriv-off"), Runs.of("killpriv-off+disk-full-from-700"));

        assertTrue(
                lines.stream().anyMatch(line -> line.contains("| != | `WRITE offset 12288 size 4096, ENOSPC` |")),
                () -> String.join("\n", lines));
    }

    @Test
    void runIsTheSameAsItself() {
        for (Scenario scenario : Gallery.ALL) {
            Run run = Runs.of(scenario.name());

            Difference difference = Difference.of(run, run);

            assertEquals(difference.rows().size(), difference.count(Verdict.SAME), scenario.name());
        }
    }

    private static List<Story> requests(Run run) {
        return run.stories().all().stream().filter(Story::isRequest).toList();
    }

    private static List<Story> side(List<Row> rows, Function<Row, Optional<Story>> side) {
        return rows.stream()
                .flatMap(row -> side.apply(row).stream())
                .filter(Story::isRequest)
                .toList();
    }
}
