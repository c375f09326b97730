package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.AccessIn;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.Statx;
import vitrine.fuse.struct.StatxIn;
import vitrine.fuse.struct.StatxOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Stat;

/// STATX and ACCESS: questions about a file that GETATTR does not answer.
class StatxTest extends SharedFolder {

    private static final int ASKED_BY_LINUX = Stat.STATX_BASIC_STATS | Stat.STATX_BTIME;
    private static final List<Integer> MASKS = List.of(0, 1, 2, 3, 4, 5, 6, 7);

    @BeforeEach
    void serve() throws Exception {
        serve(PassthroughOptions.DEFAULT.withTimeout(Duration.ofMillis(2500)));
    }

    private StatxOut statx(long nodeid, int mask) throws Exception {
        return guest.struct(StatxOut.class, new InodeRequest.Statx(guest.header(nodeid), new StatxIn(0, 0, 0, mask)));
    }

    /// All that GETATTR says, for as long as it may be believed, for every type of file.
    ///
    /// Caught: mtime and ctime exchanged; the nanoseconds of the timeout left out.
    @Test
    void itTellsWhatGetattrTells() throws Exception {
        Files.writeString(share.resolve("file"), "hello");
        Files.createDirectory(share.resolve("directory"));
        guest.symlink(Guest.ROOT, "link", "to/nowhere");
        guest.mknod(Guest.ROOT, "device", 0020600, 0xabc << 8 | 0xde | 0x123 << 20);
        Files.setAttribute(share.resolve("file"), "unix:mode", 06711);

        for (String name : List.of("file", "directory", "link", "device")) {
            long node = guest.node(name);
            Attr attr = guest.getattr(node);

            StatxOut out = statx(node, ASKED_BY_LINUX);

            assertEquals(2, out.attrValid());
            assertEquals(500_000_000, out.attrValidNsec());
            assertEquals(Stat.STATX_BASIC_STATS, out.stat().mask() & Stat.STATX_BASIC_STATS);
            assertEquals(attr, asAttr(out.stat()), name);
        }
    }

    private static Attr asAttr(Statx stat) {
        int rdev = stat.rdevMajor() << 8 | stat.rdevMinor() & 0xff | (stat.rdevMinor() & ~0xff) << 12;
        return new Attr(
                stat.ino(),
                stat.size(),
                stat.blocks(),
                stat.atime().tvSec(),
                stat.mtime().tvSec(),
                stat.ctime().tvSec(),
                stat.atime().tvNsec(),
                stat.mtime().tvNsec(),
                stat.ctime().tvNsec(),
                stat.mode(),
                stat.nlink(),
                stat.uid(),
                stat.gid(),
                rdev,
                stat.blksize(),
                0);
    }

    /// The time of birth is the host's, and is there only if the mask says so.
    ///
    /// Caught: a mask that is always full; a bit in it for which the protocol has no field (the
    /// host's mount).
    @Test
    void theMaskSaysWhatIsTrue() throws Exception {
        Files.writeString(share.resolve("f"), "");
        long node = guest.node("f");

        Statx stat = statx(node, -1).stat();

        assertEquals(ASKED_BY_LINUX, stat.mask());
        assertEquals(
                birth(share.resolve("f")),
                stat.btime().tvSec() + "." + "%09d".formatted(stat.btime().tvNsec()));
        try (Guest other = new Guest(Path.of("/proc"), PassthroughOptions.DEFAULT)) {
            StatxIn in = new StatxIn(0, 0, 0, ASKED_BY_LINUX);
            long version = other.node("version");
            StatxOut out = other.struct(StatxOut.class, new InodeRequest.Statx(other.header(version), in));
            assertEquals(Stat.STATX_BASIC_STATS, out.stat().mask()); // proc(5) knows no births
        }
    }

    private static String birth(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%.9W", file.toString()).start();
        return new String(stat.getInputStream().readAllBytes()).trim();
    }

    /// Only the flags of statx(2) that say how fresh the answer has to be go to the host; both at
    /// once are a contradiction there, too.
    ///
    /// Caught: all flags passed on.
    @Test
    void unknownFlagsDoNotReachTheHost() throws Exception {
        StatxIn strange = new StatxIn(0, 0, 0x100 | 0x800 | 0x2000, ASKED_BY_LINUX);
        StatxIn both = new StatxIn(0, 0, 0x6000, ASKED_BY_LINUX);

        assertEquals(0, guest.errno(new InodeRequest.Statx(guest.header(1), strange)));
        assertEquals(Errno.EINVAL, guest.errno(new InodeRequest.Statx(guest.header(1), both)));
        assertEquals(Errno.ESTALE, guest.errno(new InodeRequest.Statx(guest.header(99), strange)));
    }

    /// access(2): the superuser may all but execute what nobody may; others may what the file says
    /// of their class, and of their supplementary groups if those are told.
    ///
    /// Caught: the daemon asked in the caller's place; groups left out.
    @Test
    void accessIsCheckedByTheHostForTheCaller() throws Exception {
        Path file = Files.writeString(share.resolve("f"), "");
        Files.setAttribute(file, "unix:uid", 1000);
        Files.setAttribute(file, "unix:gid", 2222);
        Files.setAttribute(file, "unix:mode", 0640);
        long node = guest.node("f");

        assertEquals(List.of(0, 2, 4, 6), allowed(node, Caller.SUPERUSER));
        assertEquals(List.of(0, 2, 4, 6), allowed(node, Caller.USER));
        assertEquals(List.of(0), allowed(node, new Caller(1001, 1001, List.of())));
        assertEquals(List.of(0, 4), allowed(node, new Caller(1001, 1001, List.of(2222))));
        assertEquals(List.of(0, 4), allowed(node, new Caller(1001, 2222, List.of())));
        assertEquals(Errno.EINVAL, access(node, 8));
        assertEquals(Errno.ESTALE, access(99, 4));
        assertNotEquals(0, access(node, -1));
    }

    private List<Integer> allowed(long node, Caller caller) {
        guest.caller = caller;
        List<Integer> allowed =
                MASKS.stream().filter(mask -> access(node, mask) == 0).toList();
        guest.caller = Caller.SUPERUSER;
        return allowed;
    }

    private int access(long node, int mask) {
        return guest.errno(new InodeRequest.Access(guest.header(node), new AccessIn(mask), guest.caller.extensions()));
    }
}
