package vitrine.conformance.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.SYS;
import static vitrine.conformance.posix.HostKernel.assertErrno;

import java.nio.file.Files;
import java.nio.file.Path;
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
import vitrine.posix.FileHandle;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// A file is found again by its handle, and no other file ever is.
class FileHandleTest {

    private static final int REFERENCE = Fcntl.O_PATH | Fcntl.O_NOFOLLOW;
    private static final int TRIES = 1000;

    private Mounted ext4;
    private Fd dir; // for names
    private Fd mount; // for handles

    @BeforeEach
    void mount(@TempDir Path temp) throws Exception {
        Needs.root();
        ext4 = Mounted.ext4(Files.createDirectory(temp.resolve("ext4")));
        dir = HostKernel.directory(ext4.where());
        mount = SYS.reopen(dir, Fcntl.O_RDONLY);
    }

    @AfterEach
    void unmount() throws Exception {
        if (ext4 != null) {
            dir.close();
            mount.close();
            ext4.close();
        }
    }

    /// Whatever kind of file it is, and wherever it was moved to (open_by_handle_at(2)).
    ///
    /// Caught: the type of the handle left 0.
    @ParameterizedTest
    @ValueSource(strings = {"regular", "directory", "fifo", "symlink"})
    void aFileIsFoundByItsHandle(String kind) throws Exception {
        switch (kind) {
            case "regular" -> SYS.mknodat(dir, Name.of(kind), Stat.S_IFREG | 0600, 0);
            case "directory" -> SYS.mkdirat(dir, Name.of(kind), 0700);
            case "fifo" -> SYS.mknodat(dir, Name.of(kind), Stat.S_IFIFO | 0600, 0);
            default -> SYS.symlinkat(Name.of("somewhere"), dir, Name.of(kind));
        }
        long ino = SYS.statxAt(dir, Name.of(kind), Stat.STATX_INO).ino();
        FileHandle handle = handleOf(kind);
        SYS.renameat2(dir, Name.of(kind), dir, Name.of("moved"), 0);

        try (Fd found = SYS.openByHandle(mount, handle, REFERENCE)) {
            assertEquals(ino, SYS.statx(found, Stat.STATX_INO).ino());
        }
        assertEquals(handle, handleOf("moved"));
        assertEquals(handle.hashCode(), handleOf("moved").hashCode());
    }

    /// An inode number is used again, a handle is not: it is stale, like that of every file that is
    /// gone. The time of birth would not tell the two apart: the clock for it may go in steps of
    /// milliseconds.
    ///
    /// Caught: handles compared by their first four bytes, which hold the inode number.
    @Test
    void anInodeNumberIsUsedAgainButNotAHandle() throws Exception {
        SYS.mknodat(dir, Name.of("first"), Stat.S_IFREG | 0600, 0);
        FileStatus last = SYS.statxAt(dir, Name.of("first"), Stat.STATX_INO | Stat.STATX_BTIME);
        FileHandle first = handleOf("first");
        FileHandle lastHandle = first;
        SYS.unlinkat(dir, Name.of("first"), 0);

        boolean bornAtOnce = false;
        for (int i = 0; i < TRIES && !bornAtOnce; i++) {
            SYS.mknodat(dir, Name.of("next"), Stat.S_IFREG | 0600, 0);
            FileStatus next = SYS.statxAt(dir, Name.of("next"), Stat.STATX_INO | Stat.STATX_BTIME);
            FileHandle nextHandle = handleOf("next");
            SYS.unlinkat(dir, Name.of("next"), 0);

            assertEquals(last.ino(), next.ino());
            assertNotEquals(lastHandle, nextHandle);
            assertErrno(Errno.ESTALE, () -> SYS.openByHandle(mount, first, REFERENCE));
            bornAtOnce = next.btime().equals(last.btime());
            last = next;
            lastHandle = nextHandle;
        }
        assertTrue(bornAtOnce, "two files of one number, born at different times all along");
    }

    /// The mount must be open for reading, and not every file system has handles.
    @Test
    void whatCannotBeIsRefused(@TempDir Path temp) throws Exception {
        FileHandle handle = handleOf(".");
        assertErrno(Errno.EBADF, () -> SYS.openByHandle(dir, handle, REFERENCE));

        Path lower = Files.createDirectory(temp.resolve("lower"));
        try (Mounted overlay = Mounted.overlay(lower, Files.createDirectory(temp.resolve("over")));
                Fd root = HostKernel.directory(overlay.where())) {
            assertErrno(Errno.EOPNOTSUPP, () -> SYS.fileHandle(root));
        }
    }

    private FileHandle handleOf(String name) throws Exception {
        try (Fd file = HostKernel.reference(dir, name)) {
            return SYS.fileHandle(file);
        }
    }
}
