package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.virtqueue.Descriptor.INDIRECT;
import static vitrine.virtqueue.Descriptor.NEXT;
import static vitrine.virtqueue.Descriptor.WRITE;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.RamLayout;
import vitrine.guest.hostile.LyingDriver;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.virtqueue.Descriptor;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Memory whose file is made shorter under the device: the mapping stays, and touching it is
/// SIGBUS.
class ShrinkingMemoryTest {

    private static final RamLayout.Range DIMM = new RamLayout.Range(1L << 30, 1L << 20);
    private static final int DATA = 3000;
    private static final Name ATTRIBUTE = Name.of("user.large");

    @TempDir
    Path temporary;

    private Attack attack;
    private LyingDriver driver;

    @BeforeEach
    void begin() throws Exception {
        attack = new Attack(Victim.Kind.DAEMON, temporary);
    }

    @AfterEach
    void end() {
        attack.close();
    }

    /// mmap(2): SIGBUS is for who touches a page beyond the end of the file. Of Java's code the JVM
    /// makes an error of it, which the queue gives up with; the process, the other queue and the
    /// session go on.
    ///
    /// Caught: `catch (RuntimeException | Error e)` without `Error` in `QueueWorker.run`;
    /// `movedAhead` after `getdents64` in `DirectoryListing.read` (the directory seems to be empty
    /// afterwards).
    @Test
    void whatTheDaemonTouchesItselfStopsTheQueueAlone() throws Exception {
        DaemonVictim victim = (DaemonVictim) attack.victim;
        assertEquals(0, attack.errno(setxattr(attack.lookup(1, "file"))));
        long handle = opendir();
        for (Map.Entry<String, Lie> lie : lies(handle).entrySet()) {
            GuestRam.Piece dimm = victim.frontend.plug(DIMM);
            DaemonProcess.SYS.ftruncate(dimm.fd(), 0);
            driver = attack.driver();
            byte[] bytes = Attack.bytes(lie.getValue().request);
            driver.place(bytes);

            driver.post(0, lie.getValue().chain.around(bytes.length, DIMM.start()));

            assertTrue(victim.isGivenUp(1), lie.getKey());
            assertEquals(
                    0,
                    victim.queue(0)
                            .ask(Attack.bytes(attack.getattr()), Attack.ROOM)
                            .errno());
            victim.restart(1);
            attack.verifyNothingIsHarmed();
            victim.frontend.unplug(dimm);
        }
        assertTrue(attack.ask(readdirplus(handle)).written() > 16);
    }

    /// What the host's kernel touches is EFAULT, or a short count.
    @Test
    void whatTheHostTouchesIsAnErrno() throws Exception {
        DaemonVictim victim = (DaemonVictim) attack.victim;
        long file = attack.lookup(1, "file");
        long fh = attack.open(file, Fcntl.O_RDWR);
        GuestRam.Piece dimm = victim.frontend.plug(DIMM);
        DaemonProcess.SYS.ftruncate(dimm.fd(), 0);
        driver = attack.driver();
        long lost = DIMM.start();

        driver.place(Attack.bytes(new FileRequest.Read(attack.header(file), new ReadIn(fh, 0, 1000, 0, 0, 0))));
        assertEquals(
                Errno.EFAULT,
                driver.send(List.of(
                                readable(80, 1),
                                new Descriptor(driver.reply(), 16, WRITE | NEXT, 2),
                                new Descriptor(lost, 1000, WRITE, 0)))
                        .orElseThrow()
                        .errno());
        driver.place(
                Attack.bytes(new FileRequest.Write(attack.header(file), new WriteIn(fh, 0, DATA, 0, 0, 0), data())));
        assertEquals(
                Errno.EFAULT,
                driver.send(List.of(readable(80, 1), new Descriptor(lost, DATA, NEXT, 2), reply(200)))
                        .orElseThrow()
                        .errno());

        attack.verifyNothingIsHarmed();
    }

    /// A request, and a chain of which a part is where no memory is any more.
    private record Lie(FuseRequest request, Chain chain) {}

    private interface Chain {
        List<Descriptor> around(int length, long lost);
    }

    private Map<String, Lie> lies(long handle) throws Exception {
        long file = attack.lookup(1, "file");
        FuseRequest getattr = attack.getattr();
        FuseRequest lookup = new InodeRequest.Lookup(attack.header(1), Name.of("file"));
        FuseRequest readlink = new InodeRequest.Readlink(attack.header(attack.lookup(1, "link")), Buffers.EMPTY);
        FuseRequest symlink = new DirectoryRequest.Symlink(attack.header(1), Name.of("new"), Name.of("y".repeat(2000)));
        FuseRequest getxattr = new XattrRequest.Getxattr(attack.header(file), new GetxattrIn(DATA), ATTRIBUTE);
        Map<String, Lie> lies = new LinkedHashMap<>();
        lies.put("all of the request", new Lie(getattr, this::requestLost));
        lies.put("the arguments", new Lie(getattr, this::argumentsLost));
        lies.put("a name", new Lie(lookup, this::argumentsLost));
        lies.put("two names", new Lie(symlink, this::argumentsLost));
        lies.put("a value in two pieces", new Lie(setxattr(file), this::valueLost));
        lies.put("all of the reply", new Lie(getattr, this::replyLost));
        lies.put("the bytes of a reply", new Lie(readlink, this::payloadLost));
        lies.put("directory entries", new Lie(readdirplus(handle), this::payloadLost));
        lies.put("a value to be put in two pieces", new Lie(getxattr, this::payloadInPiecesLost));
        lies.put("an indirect table", new Lie(getattr, (_, lost) -> List.of(new Descriptor(lost, 32, INDIRECT, 0))));
        return lies;
    }

    private List<Descriptor> requestLost(int length, long lost) {
        return List.of(new Descriptor(lost, length, NEXT, 1), reply(200));
    }

    private List<Descriptor> argumentsLost(int length, long lost) {
        return List.of(readable(40, 1), new Descriptor(lost, length - 40, NEXT, 2), reply(200));
    }

    private List<Descriptor> valueLost(int length, long lost) {
        return List.of(
                readable(length - 2000, 1),
                new Descriptor(lost, 1000, NEXT, 2),
                new Descriptor(lost + 4096, 1000, NEXT, 3),
                reply(200));
    }

    private List<Descriptor> replyLost(int length, long lost) {
        return List.of(readable(length, 1), new Descriptor(lost, 200, WRITE, 0));
    }

    private List<Descriptor> payloadLost(int length, long lost) {
        return List.of(readable(length, 1), replyHeader(), new Descriptor(lost, 4096, WRITE, 0));
    }

    private List<Descriptor> payloadInPiecesLost(int length, long lost) {
        return List.of(
                readable(length, 1),
                replyHeader(),
                new Descriptor(lost, 1500, WRITE | NEXT, 3),
                new Descriptor(lost + 4096, 1500, WRITE, 0));
    }

    private Descriptor replyHeader() {
        return new Descriptor(driver.reply(), 16, WRITE | NEXT, 2);
    }

    private FuseRequest setxattr(long file) {
        return new XattrRequest.Setxattr(attack.header(file), new SetxattrIn(DATA, 0, false, 0), ATTRIBUTE, data());
    }

    private Descriptor readable(int length, int next) {
        return new Descriptor(driver.request(), length, NEXT, next);
    }

    private Descriptor reply(int room) {
        return new Descriptor(driver.reply(), room, WRITE, 0);
    }

    private FuseRequest readdirplus(long handle) {
        return new DirectoryRequest.Readdirplus(attack.header(1), new ReadIn(handle, 0, 4096, 0, 0, 0));
    }

    private long opendir() throws Exception {
        return OpenOut.decode(attack.ask(new DirectoryRequest.Opendir(attack.header(1), new OpenIn(0, 0)))
                        .payload())
                .fh();
    }

    private static Buffers data() {
        return Buffers.ofBytes(new byte[DATA]);
    }
}
