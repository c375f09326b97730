package vitrine.conformance.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.rule.DataPath;
import vitrine.guest.kernel.rule.DataPath.Way;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.guest.kernel.rule.DirectPiece;
import vitrine.guest.kernel.rule.Killing;
import vitrine.guest.kernel.rule.QueueChoice;

/// Each rule by itself, row by row.
class RulesTest {

    /// The first row that holds decides: DAX, the server's wish, the program's, write-back.
    ///
    /// Seen to catch: FOPEN_DIRECT_IO before DAX; write-back of a write that has to kill; O_DIRECT
    /// into the page cache.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dax  server  program  writeback  | DAX
            dax                              | DAX
            dax  server  swapped             | SERVER_DIRECT
            dax  swapped                     | DAX
            server  program  writeback       | SERVER_DIRECT
            program  writeback               | PROGRAM_DIRECT
            writeback                        | WRITE_BACK
            writeback  kills                 | WRITE_THROUGH
            kills                            | WRITE_THROUGH
            nothing                          | WRITE_THROUGH
            """)
    void dataTakesTheFirstWayThatHolds(String inputs, Way way) {
        List<String> given = List.of(inputs.split(" +"));

        Way taken = new DataPath.Write(
                        given.contains("dax"),
                        given.contains("server"),
                        given.contains("swapped"),
                        given.contains("writeback"),
                        given.contains("kills"),
                        given.contains("program"))
                .outcome();

        assertEquals(way, taken);
    }

    /// A request has so many pages of the program's memory, and so many bytes.
    ///
    /// Seen to catch: the place left out of account; the bytes, likewise.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            5000    | 0    | 5000
            5000    | 100  | 5000
            1048576 | 0    | 1048576
            1048576 | 1    | 1048575
            1048576 | 4095 | 1044481
            2097152 | 0    | 1048576
            """)
    void memoryThatIsNotAlignedHasAPageMore(int left, int place, int piece) {
        assertEquals(piece, new DirectPiece(left, place, 1 << 20, 256).outcome());
        assertEquals(Math.min(piece, 4096), new DirectPiece(left, place, 4096, 256).outcome());
    }

    /// What a change of data takes, and who decides about it (`setattr_should_drop_suidgid`).
    ///
    /// Seen to catch: the group's execution not looked at; a stranger's write that leaves the bit;
    /// CAP_FSETID that saves capabilities.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4777 |                  | [SUID]
            2777 |                  | [SGID]
            2767 |                  | []
            2767 | strangers        | [SGID]
            2767 | strangers member | []
            6777 | member           | [SUID, SGID]
            6777 | fsetid           | []
            6777 | fsetid xattr     | [CAPABILITIES]
            0777 | xattr            | [CAPABILITIES]
            """)
    void whatHasToGoDependsOnModeCallerAndVersion(String mode, String inputs, String kill) {
        List<String> given = inputs == null ? List.of() : List.of(inputs.split(" "));

        var taken = new Killing.ForData(
                        Integer.parseInt(mode, 8),
                        given.contains("fsetid"),
                        given.contains("member"),
                        given.contains("strangers"),
                        given.contains("xattr"))
                .outcome();

        assertEquals(kill, taken.toString());
    }

    /// Since Linux 6.10 a request goes to the queue of the processor that makes it; before, to the
    /// first (`virtio_fs_enqueue_req`). There may be more processors than queues.
    ///
    /// Seen to catch: the first queue for all; a processor's number for that of a queue.
    @ParameterizedTest
    @CsvSource({"6.1, 5, 4, 0", "6.12, 0, 4, 0", "6.12, 3, 4, 3", "6.12, 5, 4, 1", "6.12, 5, 1, 0"})
    void aRequestGoesToTheQueueOfItsProcessor(String linux, int processor, int queues, int queue) {
        boolean byProcessor = KernelProfile.ofLinux(linux).has(KernelProfile.Habit.QUEUE_OF_CPU);

        assertEquals(queue, new QueueChoice(byProcessor, processor, queues).outcome());
    }

    /// A trace shows a rule by its name, its inputs, and the row taken.
    @Test
    void whoListensHearsInputsAndOutcome() {
        List<String> heard = new ArrayList<>();
        Decisions decisions = (rule, inputs, outcome) -> heard.add(rule + " | " + inputs + " | " + outcome);

        decisions.by(new DataPath.Read(false, true, false, true));
        decisions.by(new Killing.Flagged(true, false, false));
        decisions.by(new Killing.ForOwner(0102755, false, true));

        assertEquals(
                List.of(
                        "read: path | dax no, fopen direct io yes, server direct before dax no, o direct yes"
                                + " | server direct",
                        "kill: told to the server? | direct yes, killpriv v2 no, cap fsetid no | yes",
                        "kill: what, for a change of owner | mode 2755, CAP_FSETID no, in group yes"
                                + " | [SUID, SGID, CAPABILITIES]"),
                heard);
    }
}
