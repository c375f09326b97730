package vitrine.conformance.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.SYS;
import static vitrine.conformance.posix.HostKernel.assertErrno;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.rules.Needs;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.FileSystemStatus;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Attributes are read and changed by `O_PATH` descriptors, whatever kind of file it is.
class AttributesTest {

    private static final Name ATTRIBUTE = Name.of("trusted.vitrine");

    @TempDir
    Path temp;

    private Fd dir;

    @BeforeEach
    void makeFiles() throws Exception {
        dir = HostKernel.directory(temp);
        SYS.openat(dir, Name.of("regular"), Fcntl.O_CREAT, 0644).close();
        SYS.mkdirat(dir, Name.of("directory"), 0755);
        SYS.mknodat(dir, Name.of("fifo"), Stat.S_IFIFO | 0644, 0);
        SYS.mknodat(dir, Name.of("socket"), Stat.S_IFSOCK | 0644, 0);
        SYS.symlinkat(Name.of("regular"), dir, Name.of("symlink"));
    }

    @AfterEach
    void close() {
        dir.close();
    }

    /// An attribute set on a symbolic link is the link's own, not that of the file it leads to: a
    /// guest could otherwise mark files outside of the shared directory. Seen for each kind by a
    /// second way in, the name.
    ///
    /// Caught: `procPath` with `"/."` behind the number.
    @ParameterizedTest
    @ValueSource(strings = {"regular", "directory", "fifo", "socket", "symlink"})
    void anExtendedAttributeBelongsToTheFileOfTheDescriptor(String kind) throws Exception {
        Needs.root(); // trusted.* is root's, and the only kind that all types of files can have
        Fd file = HostKernel.reference(dir, kind);
        Buffers value = Buffers.ofBytes(kind.getBytes(UTF_8));
        byte[] read = new byte[20];

        SYS.setxattr(file, ATTRIBUTE, value, Fcntl.XATTR_CREATE);

        assertEquals(kind.length(), SYS.getxattr(file, ATTRIBUTE, Buffers.EMPTY));
        assertEquals(kind.length(), SYS.getxattr(file, ATTRIBUTE, Buffers.ofBytes(read)));
        assertEquals(kind, new String(read, 0, kind.length(), UTF_8));
        assertEquals("trusted.vitrine\0", list(file));
        for (String other : new String[] {"regular", "directory", "fifo", "socket", "symlink"}) {
            if (!other.equals(kind)) {
                Fd untouched = HostKernel.reference(dir, other);
                assertErrno(Errno.ENODATA, () -> SYS.getxattr(untouched, ATTRIBUTE, Buffers.EMPTY));
                untouched.close();
            }
        }
        assertErrno(Errno.EEXIST, () -> SYS.setxattr(file, ATTRIBUTE, value, Fcntl.XATTR_CREATE));
        SYS.removexattr(file, ATTRIBUTE);
        assertErrno(Errno.ENODATA, () -> SYS.removexattr(file, ATTRIBUTE));
        file.close();
    }

    private static String list(Fd file) throws Exception {
        return SYS.listxattr(file).stream().map(name -> name + "\0").collect(Collectors.joining());
    }

    /// A value may lie in several parts of guest memory, in one, or on the heap.
    ///
    /// Caught: `scatter` that starts each part at the beginning of the value.
    @Test
    void aValueMayLieInSeveralParts() throws Exception {
        Fd file = HostKernel.reference(dir, "regular");
        Name name = Name.of("user.parts");
        byte[] value = new byte[1500];
        new Random(1).nextBytes(value);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment whole = arena.allocateFrom(JAVA_BYTE, value);
            Buffers cut = Buffers.of(whole.asSlice(0, 1), whole.asSlice(1, 999), whole.asSlice(1000));
            MemorySegment back = arena.allocate(2000);
            Buffers room = Buffers.of(back.asSlice(0, 700), back.asSlice(700, 3), back.asSlice(703));

            SYS.setxattr(file, name, cut, 0);
            int inParts = SYS.getxattr(file, name, room);
            byte[] partsRead = back.asSlice(0, inParts).toArray(JAVA_BYTE);
            int inOne = SYS.getxattr(file, name, Buffers.of(back.fill((byte) 0)));
            byte[] oneRead = back.asSlice(0, inOne).toArray(JAVA_BYTE);

            assertArrayEquals(value, partsRead);
            assertArrayEquals(value, oneRead);
            assertErrno(Errno.ERANGE, () -> SYS.getxattr(file, name, Buffers.of(back.asSlice(0, 1499))));
            assertErrno(Errno.E2BIG, () -> SYS.setxattr(file, name, Buffers.of(arena.allocate(65537)), 0));
        }
        file.close();
    }

    /// Caught: access and modification time exchanged; `OMIT` with the value of `NOW`.
    @ParameterizedTest
    @ValueSource(strings = {"regular", "directory", "fifo", "socket", "symlink"})
    void timesAreThoseOfTheFileOfTheDescriptor(String kind) throws Exception {
        Fd file = HostKernel.reference(dir, kind);

        SYS.utimens(file, new Timespec(-5, 7), new Timespec(1_000_000_000, 999_999_999));
        FileStatus both = SYS.statx(file, Stat.STATX_BASIC_STATS);
        SYS.utimens(file, Timespec.OMIT, new Timespec(3, 4));
        FileStatus one = SYS.statxAt(dir, Name.of(kind), Stat.STATX_BASIC_STATS);
        SYS.utimens(file, Timespec.NOW, Timespec.OMIT);
        FileStatus now = SYS.statx(file, Stat.STATX_BASIC_STATS);

        assertEquals(new Timespec(-5, 7), both.atime());
        assertEquals(new Timespec(1_000_000_000, 999_999_999), both.mtime());
        assertEquals(new Timespec(-5, 7), one.atime());
        assertEquals(new Timespec(3, 4), one.mtime());
        assertTrue(now.atime().seconds() > 1_000_000_000);
        assertEquals(new Timespec(3, 4), now.mtime());
        file.close();
    }

    /// A symbolic link has no permissions; setting them must not reach the file it leads to.
    @ParameterizedTest
    @ValueSource(strings = {"regular", "directory", "fifo", "socket", "symlink"})
    void permissionsAreThoseOfTheFileOfTheDescriptor(String kind) throws Exception {
        Fd file = HostKernel.reference(dir, kind);

        if (kind.equals("symlink")) {
            assertErrno(Errno.EOPNOTSUPP, () -> SYS.chmod(file, 0600));
            assertEquals(
                    0644, SYS.statxAt(dir, Name.of("regular"), Stat.STATX_MODE).mode() & 07777);
        } else {
            SYS.chmod(file, 06751);
            assertEquals(06751, SYS.statx(file, Stat.STATX_MODE).mode() & 07777);
        }
        file.close();
    }

    /// Caught: uid and gid exchanged; without `AT_EMPTY_PATH`.
    @ParameterizedTest
    @ValueSource(strings = {"regular", "directory", "fifo", "socket", "symlink"})
    void theOwnerIsThatOfTheFileOfTheDescriptor(String kind) throws Exception {
        Needs.root();
        Fd file = HostKernel.reference(dir, kind);

        SYS.chown(file, 1234, 5678);
        SYS.chown(file, -1, -1);
        FileStatus status = SYS.statx(file, Stat.STATX_BASIC_STATS);
        SYS.chown(file, 0, 0);

        assertEquals(1234, status.uid());
        assertEquals(5678, status.gid());
        file.close();
    }

    /// Every field of `struct statx` that Java's own file system can tell as well is the same
    /// there.
    ///
    /// Caught: the offsets of size and blocks exchanged.
    @ParameterizedTest
    @ValueSource(strings = {"regular", "directory", "fifo", "socket", "symlink"})
    void aStatusIsWhatJavaSees(String kind) throws Exception {
        Path path = temp.resolve(kind);
        if (kind.equals("regular")) {
            Files.writeString(path, "x".repeat(5000));
            Files.createLink(temp.resolve("second"), path);
        }
        Map<String, Object> seen = Files.readAttributes(path, "unix:*", LinkOption.NOFOLLOW_LINKS);

        FileStatus status = SYS.statxAt(dir, Name.of(kind), Stat.STATX_BASIC_STATS | Stat.STATX_MNT_ID);

        assertEquals(seen.get("mode"), status.mode());
        assertEquals(seen.get("ino"), status.ino());
        assertEquals(seen.get("dev"), status.dev());
        assertEquals(seen.get("rdev"), status.rdev());
        assertEquals(seen.get("nlink"), status.nlink());
        assertEquals(seen.get("uid"), status.uid());
        assertEquals(seen.get("gid"), status.gid());
        assertEquals(seen.get("size"), status.size());
        assertEquals(instant("lastModifiedTime", seen), instant(status.mtime()));
        assertEquals(instant("lastAccessTime", seen), instant(status.atime()));
        assertEquals(instant("ctime", seen), instant(status.ctime()));
        assertTrue((status.mask() & Stat.STATX_MNT_ID) != 0 && status.mountId() != 0);
        assertTrue(status.blocks() >= 0 && status.blksize() >= 512);
    }

    private static String instant(String name, Map<String, Object> seen) {
        return ((java.nio.file.attribute.FileTime) seen.get(name)).toInstant().toString();
    }

    private static String instant(Timespec time) {
        return java.time.Instant.ofEpochSecond(time.seconds(), time.nanos()).toString();
    }

    /// glibc's packing of device numbers, as `mknod` takes them and `stat` gives them back.
    @Test
    void deviceNumbersArePackedAsGlibcDoes() throws Exception {
        Needs.root();
        long device = FileStatus.deviceNumber(0xabc, 0xdef12);

        SYS.mknodat(dir, Name.of("device"), Stat.S_IFCHR | 0600, device);
        FileStatus status = SYS.statxAt(dir, Name.of("device"), Stat.STATX_BASIC_STATS);

        assertEquals(0xabc, status.rdevMajor());
        assertEquals(0xdef12, status.rdevMinor());
        assertEquals(device, status.rdev());
        assertEquals(Files.getAttribute(temp.resolve("device"), "unix:rdev"), device);
    }

    /// Caught: the offsets of `blocksFree` and `blocksAvailable` exchanged.
    @Test
    void aFileSystemStatusIsWhatJavaSees() throws Exception {
        FileSystemStatus status = SYS.fstatfs(dir);

        assertEquals(Files.getFileStore(temp).getTotalSpace(), status.blocks() * status.fragmentSize());
        long slack = 1L << 30; // others write to the same disk
        assertEquals(
                Files.getFileStore(temp).getUsableSpace(), status.blocksAvailable() * status.fragmentSize(), slack);
        assertEquals(
                Files.getFileStore(temp).getUnallocatedSpace(), status.blocksFree() * status.fragmentSize(), slack);
        assertEquals(255, status.nameLength());
        assertTrue(status.filesFree() <= status.files());
    }

    /// Setting the size needs no open file. Caught: size and path exchanged.
    @Test
    void aReferenceIsTruncated() throws Exception {
        Fd file = HostKernel.reference(dir, "regular");

        SYS.truncate(file, 12345);

        assertEquals(12345, SYS.statx(file, Stat.STATX_SIZE).size());
        file.close();
    }
}
