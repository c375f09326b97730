package vitrine.conformance.wireshark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.wire.AnyRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.tap.TappedFileSystem;
import vitrine.tap.TappedLibc;
import vitrine.trace.Actor;
import vitrine.trace.CaptureReader;
import vitrine.trace.CaptureWriter;
import vitrine.trace.Keys;
import vitrine.trace.RawBytes;
import vitrine.trace.Recorder;
import vitrine.trace.Stamp;
import vitrine.trace.Trace;
import vitrine.trace.TraceClock;
import vitrine.trace.TraceEvent;
import vitrine.wire.Buffers;

/// What tshark shows of a capture, with our script and nothing else.
class DissectorTest {

    private static final Pattern SHOWN_FIELD =
            Pattern.compile("<field name=\"(fuse\\.[\\w.]+)\"[^>]* value=\"([0-9a-f]*)\"");

    private static final int ENHANCED_PACKET = 6; // a block of pcapng

    @TempDir
    private Path folder;

    private Tshark tshark;
    private Path capture;

    @BeforeEach
    void scriptIsThere() throws IOException {
        tshark = new Tshark(folder);
        capture = folder.resolve("run.pcapng");
    }

    private interface Deed {
        void on(Trace trace) throws Exception;
    }

    private void capture(Deed deed) throws Exception {
        try (CaptureWriter writer = CaptureWriter.open(capture, Map.of())) {
            deed.on(writer);
        }
    }

    /// Each field of each struct of each request is where the Java layouts have it: as many bytes,
    /// with the same content. The structs in the request say what is to be seen, byte by byte.
    ///
    /// Caught: the list of BATCH_FORGET without its count; the older form of SETXATTR taken for the
    /// newer.
    @Test
    void everyRequestIsTakenApartToItsLastField() throws Exception {
        Random random = new Random(1);
        List<FuseRequest> requests = AnyRequest.RECORDS.stream()
                .filter(record -> record != SessionRequest.Unknown.class)
                .<FuseRequest>map(record -> AnyRequest.of(record, random))
                .toList();
        capture(trace -> {
            Recorder recorder = new Recorder(trace, TraceClock.wall(), Actor.DAEMON);
            TappedFileSystem fileSystem = new TappedFileSystem(_ -> Reply.EMPTY, recorder);
            for (FuseRequest request : requests) {
                fileSystem.answer(request);
            }
        });

        List<List<String>> shown = shownFields();

        assertEquals(2 * requests.size(), shown.size());
        for (int i = 0; i < requests.size(); i++) {
            List<String> expected = RequestFields.of(requests.get(i));
            List<String> seen = shown.get(2 * i);
            assertEquals(
                    expected,
                    seen.stream()
                            .filter(field -> !field.startsWith("fuse.extensions"))
                            .toList());
        }
    }

    /// Name and bytes of each field that tshark shows, packet by packet.
    private List<List<String>> shownFields() throws Exception {
        List<List<String>> packets = new ArrayList<>();
        String page = String.join("\n", tshark.read(capture, "-T", "pdml")); // a name may have lines of its own
        for (String packet : page.split("<packet>")) {
            packets.add(SHOWN_FIELD
                    .matcher(packet)
                    .results()
                    .filter(field -> isNumberOrText(field.group(1)))
                    .map(field -> field.group(1) + "=" + field.group(2))
                    .toList());
        }
        return packets.subList(1, packets.size());
    }

    /// No struct as a whole, no single flag.
    private static boolean isNumberOrText(String filter) {
        boolean isStruct = filter.matches("fuse\\.(\\w+(_in|_one|_header)|file_lock)");
        return !isStruct && filter.chars().filter(letter -> letter == '.').count() < 3;
    }

    /// The filters of the command's help work on what the stepped machine does, and a reply finds
    /// its request.
    ///
    /// Caught: `fuse.opcode` without names; replies that were not joined to their requests; each
    /// flag's bit one further.
    @Test
    void filtersFindWhatTheSteppedMachineDid() throws Exception {
        capture(this::fileIsMade);
        long events = CaptureReader.read(capture).events().size();

        List<String> writes = tshark.read(
                capture,
                "-Y",
                "fuse.opcode == \"WRITE\"",
                "-T",
                "fields",
                "-e",
                "fuse.write_in.size",
                "-e",
                "fuse.write_out.size",
                "-e",
                "fuse.request_in");
        assertEquals(2, writes.size());
        assertEquals("5000\t\t", writes.getFirst());
        assertTrue(writes.getLast().matches("\t5000\t\\d+"), writes.getLast());
        List<Long> found = tshark.counts(
                capture,
                "vitrine",
                "fuse.opcode == 35 && fuse.name == \"file\"",
                "fuse.entry_out && fuse.open_out && fuse.attr.size == 0",
                "fuse.init_in.flags.big_writes == 1 && fuse.opcode == \"INIT\"",
                "vitrine.syscall.name == \"pwritev2\" && vitrine.syscall.result == 5000",
                "fuse.error == \"ENOENT\" && fuse.opcode == \"LOOKUP\"",
                "vitrine.notified.signal == \"KICK\" && vitrine.queue == 1 && vitrine.guest_call == 1",
                "vitrine.call.name == \"open\" && vitrine.call.result");
        assertEquals(List.of(events, 1L, 1L, 1L, 1L, 1L, 1L, 1L), found);
    }

    private void fileIsMade(Trace trace) throws Exception {
        Recorder recorder = new Recorder(trace, TraceClock.wall(), Actor.DAEMON);
        Syscalls watched = new Syscalls(TappedLibc.tap(Libc.load(), recorder));
        try (PassthroughFs fileSystem = new PassthroughFs(watched, folder.toString(), PassthroughOptions.DEFAULT);
                Machine machine = Machine.stepped(fileSystem, MachineOptions.DEFAULT, recorder)) {
            GuestProcess program = machine.rootProgram();
            int fd = program.open("/file", Fcntl.O_CREAT | Fcntl.O_RDWR, 0640);
            program.write(fd, new byte[5000]);
            program.close(fd);
        }
    }

    /// A line of the list says what happened, as a person would put it.
    ///
    /// Caught: the errno of a failed reply left out; a list of fields that was not read to its end.
    @Test
    void aLineSaysWhatHappened() throws Exception {
        Keys keys = Keys.ofUnique(7);
        capture(trace -> {
            TraceEvent.Sender sender = new TraceEvent.Sender(3, 1000, 1000, 77);
            List<TraceEvent.Field> name = List.of(new TraceEvent.Field("name", "nowhere"));
            trace.add(new TraceEvent.RequestDecoded(at(keys), "LOOKUP", sender, name, RawBytes.EMPTY));
            trace.add(new TraceEvent.HostCall(at(keys), "openat2", "5, nowhere", new TraceEvent.Outcome(-1, 2, 2500)));
            trace.add(new TraceEvent.ReplyGiven(at(keys), 2, 0, List.of(), RawBytes.EMPTY));
            trace.add(new TraceEvent.ControlMessage(
                    at(keys), TraceEvent.Direction.TO_BACK_END, "SET_VRING_KICK", "ring 1"));
            trace.add(new TraceEvent.Dropped(at(Keys.NONE), 12));
        });

        List<String> lines = tshark.read(capture, "-T", "fields", "-e", "_ws.col.Protocol", "-e", "_ws.col.Info");

        assertEquals(
                List.of(
                        "FUSE\tLOOKUP  nodeid 3  name=nowhere",
                        "Vitrine\topenat2(5, nowhere) = ENOENT  2.5 us",
                        "FUSE\treply to a request: ENOENT",
                        "vhost-user\t-> SET_VRING_KICK  ring 1",
                        "Vitrine\t12 events are missing here"),
                lines);
    }

    /// Whatever bytes a packet has, the script says that it is damaged and goes on.
    ///
    /// Caught: a name walked past its end.
    @Test
    void damagedPacketsAreSaidToBeDamaged() throws Exception {
        Random random = new Random(5);
        FuseRequest request = AnyRequest.of(FileRequest.Create.class, random);
        byte[] whole = Buffers.ofBytes(request.encode().header())
                .followedBy(Buffers.ofBytes(request.encode().args()))
                .toBytes();
        TraceEvent.Sender sender = new TraceEvent.Sender(1, 0, 0, 1);
        capture(trace -> {
            for (int length = 1; length < whole.length; length += 3) {
                RawBytes cut = RawBytes.of(Arrays.copyOf(whole, length));
                trace.add(new TraceEvent.RequestDecoded(at(Keys.ofUnique(1)), "CREATE", sender, List.of(), cut));
            }
        });
        byte[] file = Files.readAllBytes(capture);
        int packets = CaptureReader.read(capture).events().size();

        List<String> cut = tshark.shown(capture, "vitrine.damaged");
        assertTrue(cut.size() > packets / 3, () -> cut.size() + " of " + packets);
        damage(ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN), random);
        Files.write(capture, file);
        assertFalse(tshark.read(capture, "-V").isEmpty());
    }

    /// Turns bits over in the packets, and leaves alone the file's own frame around them.
    private static void damage(ByteBuffer file, Random random) {
        for (int block = 0; block < file.limit(); block += file.getInt(block + 4)) {
            for (int i = block + 28;
                    file.getInt(block) == ENHANCED_PACKET && i < block + file.getInt(block + 4) - 8;
                    i++) {
                if (random.nextInt(20) == 0) {
                    file.put(i, (byte) (file.get(i) ^ 1 << random.nextInt(8)));
                }
            }
        }
    }

    private static Stamp at(Keys keys) {
        return new Stamp(1_000_000, Actor.DAEMON, "request-1", keys);
    }
}
