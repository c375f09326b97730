package vitrine.conformance.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.cost.CostTable;
import vitrine.guest.cost.Entry;
import vitrine.guest.cost.Ledger;
import vitrine.guest.cost.VirtualTime;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.WritePath;
import vitrine.posix.Fcntl;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.tap.TappedLibc;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.TraceClock;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceList;

/// The ledger says what was spent, no more and no less; and the time that is made of it is that of
/// the table.
@Timeout(60)
class LedgerTest {

    private static final PassthroughOptions OLD =
            PassthroughOptions.DEFAULT.with(Feature.XATTR).with(Feature.KILLPRIV_V2, false);

    /// Three writes of two pages and a read of one.
    private static List<TraceEvent> run(Path share, PassthroughOptions options) throws Exception {
        TraceList trace = new TraceList();
        Recorder recorder = new Recorder(trace, TraceClock.wall(), Actor.DAEMON);
        Syscalls sys = new Syscalls(TappedLibc.tap(Libc.load(), recorder));
        try (PassthroughFs fileSystem = new PassthroughFs(sys, share.toString(), options);
                Machine machine = Machine.stepped(fileSystem, MachineOptions.DEFAULT, recorder)) {
            GuestProcess program = machine.rootProgram();
            int fd = program.open("/file", Fcntl.O_RDWR | Fcntl.O_CREAT | Fcntl.O_DIRECT, 0600);
            program.pwrite(fd, new byte[8192], 0); // what a thread does once in its life
            trace.clear();
            for (int i = 0; i < 3; i++) {
                program.pwrite(fd, new byte[8192], 0);
            }
            program.pread(fd, 4096, 4096);
            return trace.events();
        }
    }

    /// By hand: a write asks for file capabilities first, and a read after it how large the file is
    /// now. Each request is a kick, and each reply a
    /// call, for nobody looks by himself. WRITE has a header, arguments, two pages, and both of the
    /// reply.
    ///
    /// Caught: data that counts as copied by the daemon although it was not told to.
    @Test
    void countsAreThoseOneCountsByHand(@TempDir Path share) throws Exception {
        List<TraceEvent> events = run(share, OLD);

        Ledger ledger = Ledger.of(events);

        assertEquals(Map.of("pwrite", 3L, "pread", 1L), ledger.guestCalls());
        assertEquals(Map.of("GETXATTR", 3L, "WRITE", 3L, "GETATTR", 1L, "READ", 1L), ledger.requests());
        List<List<Entry>> writes = ledger.perCall(events, "pwrite");
        assertEquals(3, writes.size());
        for (List<Entry> requests : writes) {
            assertEquals(
                    List.of("GETXATTR", "WRITE"),
                    requests.stream().map(Entry::opcode).toList());
            Entry write = requests.getLast();
            assertEquals(Map.of("pwritev2", 1L), write.hostCalls());
            assertEquals(8192, write.copied());
            assertEquals(0, write.bounced());
            assertEquals(6, write.descriptors());
            assertEquals(1, write.kicks());
            assertEquals(1, write.calls());
        }
        Entry total = ledger.total();
        assertEquals(8, total.kicks());
        assertEquals(3 * 8192 + 4096, total.copied());
    }

    /// Caught: the same.
    @Test
    void whatTheDaemonCopiesItselfIsCountedApart(@TempDir Path share) throws Exception {
        Entry gathered = Ledger.of(run(share, OLD)).total();
        Entry bounced = Ledger.of(run(share, OLD.withWritePath(WritePath.BOUNCED)), true)
                .total();

        assertEquals(0, gathered.bounced());
        assertEquals(3 * 8192, bounced.bounced());
        assertEquals(gathered.copied(), bounced.copied());
    }

    private static CostTable table(String... lines) {
        List<String> all = new ArrayList<>(List.of("device.threads 1"));
        Stream.of(
                        "guest.call 1",
                        "guest.request 2",
                        "guest.wake 10",
                        "kick 3",
                        "device.wake 5",
                        "device.request 4",
                        "descriptor 0",
                        "call 1",
                        "copy 0",
                        "host.call 7")
                .forEach(line -> all.add(line + " µs"));
        all.addAll(List.of(lines));
        return CostTable.parse(all, "");
    }

    private static final Entry SMALL = new Entry("GETATTR", 1, 1, 1, 1, 1, 4, 0, 0, true, Map.of("statx", 1L));

    /// By hand: 1 for the call, 2 for the request, 3 for the kick, 5 until the device runs, 4 and 7
    /// for its work, 1 for the call, 10 until the guest runs again: 33.
    ///
    /// Caught: a device that is kicked although it is awake; a guest that is woken for a reply that
    /// is there; system calls of the host that cost something else than the table says.
    @Test
    void timeIsTheSumOfWhatIsWaitedFor() {
        assertEquals(33, VirtualTime.of(table(), List.of(List.of(SMALL)), 1, 1));
        assertEquals(33 + 32, VirtualTime.of(table(), List.of(List.of(SMALL, SMALL)), 1, 1), "a call is made once");
        assertEquals(2 * 33, VirtualTime.of(table(), List.of(List.of(SMALL), List.of(SMALL)), 1, 1));
        assertEquals(2 * 33, VirtualTime.of(table().times(2), List.of(List.of(SMALL)), 1, 1));
        assertEquals(33 - 7 + 2, VirtualTime.of(table("host.statx 2 µs"), List.of(List.of(SMALL)), 1, 1));

        // A guest that is slow finds the replies there; only the last one is waited for.
        List<List<Entry>> three = List.of(List.of(SMALL), List.of(SMALL), List.of(SMALL));
        assertEquals(
                3 * (1 + 100 + 3) + 5 + 4 + 7 + 1 + 10, VirtualTime.of(table("guest.request 100 µs"), three, 1, 2));

        // With two at once the second is sent at 6 + 3 = 9, while the device wakes up or works.
        double together = VirtualTime.of(table(), List.of(List.of(SMALL), List.of(SMALL)), 1, 2);
        assertEquals(1 + 2 + 3 + 5 + 2 * (4 + 7 + 1) + 10, together);
    }

    /// By hand: what is read ahead is sent at 6 and there at 23; two calls later, at 8, or forty
    /// later, at 46, the program comes to it. A second one is sent at 35, when the first was
    /// needed.
    ///
    /// Caught: what is read ahead waited for where it is sent; not waited for at all.
    @Test
    void whatIsReadAheadOverlapsWithWhatTheProgramDoes() {
        List<Entry> ahead = List.of(new Entry("READ", 1, 1, 1, 1, 1, 4, 0, 0, false, Map.of("preadv2", 1L)));
        List<List<Entry>> few = List.of(ahead, List.of(), List.of());
        List<List<Entry>> many = new ArrayList<>(List.of(ahead));
        many.addAll(Collections.nCopies(40, List.of()));

        assertEquals(23 + 10, VirtualTime.of(table(), few, 1, 1));
        assertEquals(6 + 40, VirtualTime.of(table(), many, 1, 1));
        assertEquals(35 + 3 + 5 + 4 + 7 + 1 + 10, VirtualTime.of(table(), List.of(ahead, ahead), 1, 1));
    }

    /// A reader who goes through 28 pages waits for the first READ; for the others nobody did when
    /// they were sent.
    ///
    /// Caught: READs that are all waited for.
    @Test
    void theLedgerTellsWhatWasReadAhead(@TempDir Path share) throws Exception {
        Files.write(share.resolve("file"), new byte[28 * 4096]);
        TraceList trace = new TraceList();
        Recorder recorder = new Recorder(trace, TraceClock.wall(), Actor.DAEMON);
        try (PassthroughFs fileSystem = new PassthroughFs(new Syscalls(Libc.load()), share.toString(), OLD);
                Machine machine = Machine.stepped(fileSystem, MachineOptions.DEFAULT, recorder)) {
            GuestProcess program = machine.rootProgram();
            int fd = program.open("/file", Fcntl.O_RDONLY);
            for (int i = 0; i < 28; i++) {
                program.read(fd, 4096);
            }
        }

        List<Boolean> awaited = Ledger.of(trace.events()).entries().stream()
                .filter(entry -> entry.opcode().equals("READ"))
                .map(Entry::awaited)
                .toList();

        assertEquals(List.of(true, false, false), awaited);
    }

    /// Caught: a unit that is not looked at.
    @Test
    void aWrongTableIsRefusedWithTheLine() {
        assertTrue(refusal("kick 3 ns").contains("line 12: expected NAME NUMBER µs"));
        assertTrue(refusal("kikc 3 µs").contains("line 12: nothing is called kikc"));
        assertTrue(refusal("kick x µs").contains("line 12: x is no number"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> CostTable.of("nowhere"))
                .getMessage()
                .contains("[nowhere]"));
    }

    private static String refusal(String line) {
        return assertThrows(IllegalArgumentException.class, () -> table(line)).getMessage();
    }

    /// Two runs of the same make the same time, whatever the machine did meanwhile.
    ///
    /// Caught: system calls that cost what they took.
    @Test
    void virtualTimeIsTheSameEachTime(@TempDir Path share) throws Exception {
        double first = 0;
        for (int i = 0; i < 3; i++) {
            List<TraceEvent> events = run(share, OLD);
            double time = VirtualTime.of(CostTable.of(""), Ledger.of(events).perCall(events, "pwrite"), 2, 4);
            assertTrue(i == 0 || time == first);
            first = time;
        }
    }
}
