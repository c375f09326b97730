package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.virtqueue.Descriptor.INDIRECT;
import static vitrine.virtqueue.Descriptor.NEXT;
import static vitrine.virtqueue.Descriptor.WRITE;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.ForgetOne;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.guest.frontend.RamLayout;
import vitrine.guest.hostile.LyingDriver;
import vitrine.guest.hostile.Returned;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.virtqueue.Descriptor;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Requests as large as can be: 4 GiB, which a guest has without having the memory, for a chain may
/// name the same piece again and again.
///
/// The daemon of the tests has 256 MiB for all its objects.
class HugeRequestTest {

    private static final RamLayout.Range DIMM = new RamLayout.Range(1L << 30, 16L << 20);
    private static final int REST = 4096;
    private static final long MOST = 0xffff_ffffL - REST; // of one side of a chain (virtio 1.3, 2.7.5.2)
    private static final long DATA = 64L << 20;
    private static final int HEADER = 40;
    private static final Name EMPTY = Name.of("");
    private static final Name NEW = Name.of("new");

    @TempDir
    Path temporary;

    private Attack attack;

    /// Nothing of a request is copied before it is known to be short enough.
    ///
    /// Caught: no limit for names in `WireReader.name`, for lists in `Incoming.elements`, for
    /// values in `AttributeCalls.setxattr`.
    @Test
    void aRequestOfFourGibibytesIsRefusedOrServedWhereItLies() throws Exception {
        try (Attack begun = new Attack(Victim.Kind.DAEMON, temporary)) {
            attack = begun;
            ((DaemonVictim) attack.victim).frontend.plug(DIMM).memory().fill((byte) 'x');
            var before = attack.shareNow();

            for (Huge huge : hugeRequests()) {
                attack.driver().place(huge.start);

                Returned answer = send(huge.start.length, MOST, REST);

                assertEquals(huge.errno, answer.errno(), answer::toString);
            }

            assertEquals(before, attack.shareNow());
            verifyNothingIsHarmed();
        }
    }

    /// However much room there is, no more is made ready than the answer can need.
    ///
    /// Caught: `DirectoryListing.readHost` that asks for as much as there is room.
    @Test
    void roomOfFourGibibytesIsNotFilled() throws Exception {
        try (Attack begun = new Attack(Victim.Kind.DAEMON, temporary)) {
            attack = begun;
            ((DaemonVictim) attack.victim).frontend.plug(DIMM);
            long file = attack.lookup(Attack.ROOT, "file");
            long fh = attack.open(file, Fcntl.O_RDONLY);
            try (RandomAccessFile large =
                    new RandomAccessFile(attack.share.resolve("file").toFile(), "rw")) {
                large.setLength(DATA); // a hole
            }
            long link = attack.lookup(Attack.ROOT, "link");
            long dir = OpenOut.decode(attack.ask(new DirectoryRequest.Opendir(attack.header(1), new OpenIn(0, 0)))
                            .payload())
                    .fh();
            ReadIn all = new ReadIn(dir, 0, -1, 0, 0, 0);

            assertTrue(answer(new InodeRequest.Readlink(attack.header(link))).written() < 100);
            assertTrue(
                    answer(new DirectoryRequest.Readdir(attack.header(1), all)).written() < 1000);
            assertTrue(answer(new DirectoryRequest.Readdirplus(attack.header(1), all))
                            .written()
                    < 4000);
            assertTrue(answer(new XattrRequest.Listxattr(attack.header(file), new GetxattrIn(-1)))
                            .written()
                    < 1000);
            ReadIn everything = new ReadIn(fh, 0, -1, 0, 0, 0);
            assertEquals(
                    16 + DATA,
                    answer(new FileRequest.Read(attack.header(file), everything))
                            .written());

            verifyNothingIsHarmed();
        }
    }

    /// More pieces than the host takes in one call.
    ///
    /// Caught: `FileCalls.preadv2` without its turns.
    @Test
    void aReplyInThousandsOfPiecesIsWhole() throws Exception {
        try (Attack begun = new Attack(Victim.Kind.DAEMON, temporary)) {
            attack = begun;
            byte[] content = new byte[4000];
            new Random(1).nextBytes(content);
            Files.write(attack.share.resolve("file"), content);
            long file = attack.lookup(Attack.ROOT, "file");
            ReadIn in = new ReadIn(attack.open(file, Fcntl.O_RDONLY), 0, content.length, 0, 0, 0);
            byte[] read = Attack.bytes(new FileRequest.Read(attack.header(file), in));
            LyingDriver driver = attack.driver();
            List<Descriptor> chain = new ArrayList<>(List.of(new Descriptor(driver.request(), read.length, NEXT, 1)));
            for (int i = 0; i < 16 + content.length; i++) { // backwards: no two can be taken together
                long at = driver.reply() + 16 + content.length - 1 - i;
                chain.add(new Descriptor(at, 1, NEXT | WRITE, i + 2));
            }
            driver.place(read);

            Returned answer = sendTable(chain);

            assertEquals(16 + content.length, answer.written());
            for (int i = 0; i < content.length; i++) {
                assertEquals(content[i], answer.reply()[content.length - 1 - i]);
            }
        }
    }

    private Returned answer(FuseRequest request) {
        byte[] bytes = Attack.bytes(request);
        attack.driver().place(bytes);
        Returned answer = send(bytes.length, bytes.length, MOST);
        assertEquals(0, answer.written() < 100 ? answer.errno() : 0);
        return answer;
    }

    /// A chain of as many bytes to read and to write; the first ones lie where the driver has its
    /// request and its reply, all others in the DIMM.
    private Returned send(long placed, long readable, long writable) {
        LyingDriver driver = attack.driver();
        List<Descriptor> chain = new ArrayList<>();
        add(chain, driver.request(), placed, readable, NEXT);
        add(chain, driver.reply(), Math.min(writable, REST), writable, NEXT | WRITE);
        return sendTable(chain);
    }

    /// A chain in an indirect table; with its last descriptor it ends.
    private Returned sendTable(List<Descriptor> chain) {
        LyingDriver driver = attack.driver();
        Descriptor last = chain.removeLast();
        chain.add(new Descriptor(last.address(), last.length(), WRITE, 0));
        driver.placeTable(chain);
        return driver.send(List.of(new Descriptor(driver.table(), 16L * chain.size(), INDIRECT, 0)))
                .orElseThrow();
    }

    private static void add(List<Descriptor> chain, long first, long firstLength, long length, int flags) {
        chain.add(new Descriptor(first, firstLength, flags, chain.size() + 1));
        for (long left = length - firstLength; left > 0; left -= DIMM.size()) {
            chain.add(new Descriptor(DIMM.start(), Math.min(left, DIMM.size()), flags, chain.size() + 1));
        }
    }

    /// A request that goes on and on, and what it is answered with.
    private record Huge(int errno, byte[] start) {}

    private List<Huge> hugeRequests() throws Exception {
        long file = attack.lookup(Attack.ROOT, "file");
        long arguments = MOST - HEADER;
        SetxattrIn value = new SetxattrIn((int) (arguments - 15), 0, false, 0);
        WriteIn data = new WriteIn(77, 0, (int) (arguments - 40), 0, 0, 0);
        FuseRequest forget = new InodeRequest.BatchForget(attack.header(0), List.of(new ForgetOne(1, 1)));
        byte[] forgets = start(forget, 8, HEADER + 8 + (arguments - 8) / 16 * 16);
        little(forgets).putInt(HEADER, (int) ((arguments - 8) / 16));
        return List.of(
                new Huge(Errno.EINVAL, start(new InodeRequest.Lookup(attack.header(1), EMPTY), 0, MOST)),
                new Huge(Errno.EINVAL, start(new DirectoryRequest.Symlink(attack.header(1), NEW, EMPTY), 4, MOST)),
                new Huge(Errno.EINVAL, forgets),
                new Huge(
                        Errno.E2BIG,
                        start(
                                new XattrRequest.Setxattr(attack.header(file), value, Name.of("user.x"), Buffers.EMPTY),
                                15,
                                MOST)),
                new Huge(Errno.EBADF, start(new FileRequest.Write(attack.header(file), data, Buffers.EMPTY), 40, MOST)),
                new Huge(
                        Errno.ENOSYS,
                        start(
                                new SessionRequest.Unknown(attack.header(1).framing(1000, 0, 0), Buffers.EMPTY),
                                0,
                                MOST)));
    }

    /// The header of a request of that length, and so many bytes of the arguments.
    private static byte[] start(FuseRequest request, int arguments, long length) {
        byte[] start = Arrays.copyOf(Attack.bytes(request), HEADER + arguments);
        little(start).putInt(0, (int) length);
        return start;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void verifyNothingIsHarmed() throws Exception {
        attack.verifyNothingIsHarmed();
        assertFalse(SharedDaemon.process().err().contains("OutOfMemoryError"));
    }
}
