package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FileRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.IoctlIn;
import vitrine.fuse.struct.IoctlOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.wire.Buffers;

/// IOCTL: the flags of lsattr(1) and chattr(1), and no door into the host besides.
class FileFlagsTest extends SharedFolder {

    private static final int GETFLAGS = 0x80086601;
    private static final int SETFLAGS = 0x40086602;
    private static final int FSGETXATTR = 0x801c581f;
    private static final int FSSETXATTR = 0x401c5820;

    private static final int NODUMP = 0x40; // FS_NODUMP_FL
    private static final int NOATIME = 0x80;
    private static final int IMMUTABLE = 0x10;
    private static final int PROJECT_INHERIT = 0x20000000;
    private static final int XFLAG_NODUMP = 0x80; // FS_XFLAG_NODUMP
    private static final int XFLAG_PROJECT_INHERIT = 0x200;
    private static final int DIRECTORY = 0x10; // FUSE_IOCTL_DIR

    private long node;
    private long fh;

    @BeforeEach
    void serve() throws Exception {
        Path file = Files.writeString(share.resolve("f"), "");
        Files.setAttribute(file, "unix:uid", 1000);
        Files.setAttribute(file, "unix:gid", 1000);
        serve(PassthroughOptions.DEFAULT);
        node = guest.node("f");
        fh = guest.open(node, 0);
        Needs.that(errno(GETFLAGS, 0, 4) == 0, "needs file flags in " + share + ": set TMPDIR to a folder on ext4");
    }

    @AfterEach
    void makeMutable() throws Exception {
        new ProcessBuilder("chattr", "-i", share.resolve("f").toString())
                .start()
                .waitFor();
    }

    private FileRequest.Ioctl request(int command, byte[] input, int room) {
        IoctlIn in = new IoctlIn(fh, 0, command, 0, input.length, room);
        return new FileRequest.Ioctl(
                guest.header(node), in, Buffers.ofBytes(input), Buffers.ofBytes(new byte[Math.max(0, room)]));
    }

    private int errno(int command, int input, int room) {
        return guest.errno(request(command, new byte[input], room));
    }

    private byte[] ask(FileRequest.Ioctl request) throws Exception {
        return switch (guest.ask(request)) {
            case Reply.Bytes(Buffers bytes) ->
                bytes.slice(16, bytes.size() - 16).toBytes();
            case Reply.Struct(IoctlOut out) -> new byte[out.result()];
            case Reply other -> throw new AssertionError(other);
        };
    }

    private static byte[] words(int... words) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length * 4).order(ByteOrder.nativeOrder());
        for (int word : words) {
            bytes.putInt(word);
        }
        return bytes.array();
    }

    private int flags() throws Exception {
        return ByteBuffer.wrap(ask(request(GETFLAGS, new byte[0], 4)))
                .order(ByteOrder.nativeOrder())
                .getInt();
    }

    private int setFlags(int flags) {
        return guest.errno(request(SETFLAGS, words(flags), 0));
    }

    /// What chattr(1) on the host sets, the guest reads, and the other way round: for a file and
    /// for a directory.
    ///
    /// Caught: the answer put where `fuse_ioctl_out` is; a directory's handle not found.
    @Test
    void flagsGoBothWays() throws Exception {
        for (String name : new String[] {"f", "d"}) {
            Path path = name.equals("d") ? Files.createDirectory(share.resolve("d")) : share.resolve("f");
            boolean directory = Files.isDirectory(path);
            node = guest.node(name);
            fh = directory ? guest.opendir(node) : guest.open(node, 0);
            int how = directory ? DIRECTORY : 0;

            chattr("+d", path);
            byte[] read = ask(withFlags(request(GETFLAGS, new byte[0], 4), how));
            int before = ByteBuffer.wrap(read).order(ByteOrder.nativeOrder()).getInt();
            ask(withFlags(request(SETFLAGS, words(before & ~NODUMP | NOATIME), 0), how));

            assertEquals(NODUMP, before & NODUMP);
            assertEquals("A", lsattr(path).replaceAll("[-eI]", ""));
        }
    }

    private static FileRequest.Ioctl withFlags(FileRequest.Ioctl request, int flags) {
        IoctlIn in = request.in();
        IoctlIn changed = new IoctlIn(in.fh(), flags, in.cmd(), in.arg(), in.inSize(), in.outSize());
        return new FileRequest.Ioctl(request.header(), changed, request.input(), request.into());
    }

    /// The newer of the two words, `struct fsxattr`.
    @Test
    void extendedFlagsGoBothWays() throws Exception {
        byte[] fsxattr = ask(request(FSGETXATTR, new byte[0], 28));
        assertEquals(28, fsxattr.length);

        ByteBuffer.wrap(fsxattr).order(ByteOrder.nativeOrder()).putInt(0, XFLAG_NODUMP);
        ask(request(FSSETXATTR, fsxattr, 0));

        assertEquals("d", lsattr(share.resolve("f")).replaceAll("[-eI]", ""));
    }

    /// ioctl_iflags(2): the owner, or who has CAP_FOWNER; and for immutable, CAP_LINUX_IMMUTABLE.
    ///
    /// Caught: changed as the daemon, for whoever asked.
    @Test
    void onlyTheOwnerChangesFlags() throws Exception {
        int before = flags();
        guest.caller = new Caller(1001, 1000, java.util.List.of());
        assertEquals(Errno.EPERM, setFlags(before | NODUMP));
        guest.caller = Caller.USER;
        assertEquals(0, setFlags(before | NODUMP));
        assertEquals(Errno.EPERM, setFlags(before | IMMUTABLE));
        guest.caller = Caller.SUPERUSER;
        assertEquals(0, setFlags(before | IMMUTABLE));
        assertEquals(Errno.EPERM, Guest.errnoOf(() -> guest.open(node, 2)));
        assertEquals(0, setFlags(before));
    }

    /// fuse.h: FUSE_ALLOW_IDMAP. Nobody says who asks, and the guest's kernel has checked. From a
    /// guest that has not agreed, -1 is nobody.
    ///
    /// Caught: -1 taken for the daemon whatever was agreed; refused although agreed.
    @Test
    void aGuestThatMapsIdentitiesHasCheckedItself() throws Exception {
        int before = flags();
        guest.caller = new Caller(-1, -1, java.util.List.of());
        assertEquals(0, setFlags(before | NODUMP));
        assertEquals(Errno.EOVERFLOW, Guest.errnoOf(() -> guest.mkdir(Guest.ROOT, "d", 0755)));

        guest.init(40, Guest.without(InitFlag.ALLOW_IDMAP));
        node = guest.node("f");
        fh = guest.open(node, 0);
        assertEquals(Errno.EOVERFLOW, setFlags(before));
    }

    /// The host counts quota by project: a guest that could leave its own would have no quota.
    ///
    /// Caught: no comparison in either word.
    @Test
    void aGuestStaysInItsProject() throws Exception {
        byte[] fsxattr = ask(request(FSGETXATTR, new byte[0], 28));
        byte[] inherits = fsxattr.clone();
        byte[] moved = fsxattr.clone();
        ByteBuffer.wrap(inherits).order(ByteOrder.nativeOrder()).putInt(0, XFLAG_PROJECT_INHERIT);
        ByteBuffer.wrap(moved).order(ByteOrder.nativeOrder()).putInt(12, 4711);

        assertEquals(Errno.EINVAL, setFlags(flags() | PROJECT_INHERIT));
        assertEquals(Errno.EINVAL, guest.errno(request(FSSETXATTR, inherits, 0)));
        assertEquals(Errno.EINVAL, guest.errno(request(FSSETXATTR, moved, 0)));
    }

    /// Sizes are those of the structs, or nothing is done.
    ///
    /// Caught: the input's size not compared.
    @ParameterizedTest
    @CsvSource({
        "GET, 0, 0",
        "GET, 0, 3",
        "GET, 0, 8",
        "GET, 4, 4",
        "SET, 0, 0",
        "SET, 8, 0",
        "SET, 4, 4",
        "XGET, 0, 27",
        "XGET, 0, -1",
        "XSET, 27, 0",
        "XSET, 29, 0",
        "XSET, 28, 28"
    })
    void otherSizesAreRefused(String which, int input, int room) throws Exception {
        int command = switch (which) {
            case "GET" -> GETFLAGS;
            case "SET" -> SETFLAGS;
            case "XGET" -> FSGETXATTR;
            default -> FSSETXATTR;
        };
        assertEquals(Errno.EINVAL, errno(command, input, room));
    }

    /// ENOTTY is what a file says to an ioctl(2) that it does not have: FIFREEZE, FITRIM, FICLONE,
    /// a terminal's, a disk's, an encryption policy.
    @ParameterizedTest
    @ValueSource(ints = {0, -1, 0xc0045877, 0xc0185879, 0x40049409, 0x5401, 0x1260, 0x400c6615, 0x80046601})
    void anyOtherCommandIsUnknown(int command) throws Exception {
        assertEquals(Errno.ENOTTY, errno(command, 4, 4));
    }

    /// A handle is good for its nodeid, and for what it is.
    @Test
    void itNeedsAHandleOfTheFile() throws Exception {
        long directory = guest.opendir(Guest.ROOT);
        assertEquals(Errno.EBADF, guest.errno(withFlags(request(GETFLAGS, new byte[0], 4), DIRECTORY))); // is a file's
        fh = directory;
        assertEquals(Errno.EBADF, errno(GETFLAGS, 0, 4));
        fh = 4711;
        assertEquals(Errno.EBADF, errno(GETFLAGS, 0, 4));
        assertEquals(Errno.EBADF, errno(SETFLAGS, 4, 0));
    }

    private static void chattr(String change, Path path) throws Exception {
        assertEquals(
                0, new ProcessBuilder("chattr", change, path.toString()).start().waitFor());
    }

    private static String lsattr(Path path) throws Exception {
        Process lsattr = new ProcessBuilder("lsattr", "-d", path.toString()).start();
        return new String(lsattr.getInputStream().readAllBytes()).split(" ")[0];
    }
}
