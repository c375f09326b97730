package vitrine.conformance.posix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static vitrine.conformance.posix.HostKernel.SYS;
import static vitrine.conformance.posix.HostKernel.assertErrno;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.posix.DirectoryEntry;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// Names are bytes, made and removed below a descriptor.
class NamesTest {

    @TempDir
    Path temp;

    private Fd dir;

    @BeforeEach
    void open() throws Exception {
        dir = HostKernel.directory(temp);
    }

    @AfterEach
    void close() {
        dir.close();
    }

    /// A buffer of 300 bytes holds one record with the longest name, so the last test reads them
    /// one by one.
    ///
    /// Caught: the name read one byte too early.
    @ParameterizedTest
    @ValueSource(ints = {300, 1000, 65536})
    void aDirectoryIsReadToItsEnd(int size) throws Exception {
        Set<Name> made = new TreeSet<>(Set.of(Name.of("."), Name.of("..")));
        for (int i = 1; i <= 255; i += 2) {
            Name name = Name.of("ä".repeat(i / 2) + "x");
            made.add(name);
            SYS.mknodat(dir, name, Stat.S_IFREG | 0600, 0);
        }

        Set<Name> found = names(size);

        assertEquals(made, found);
    }

    private Set<Name> names(int roomSize) throws Exception {
        Set<Name> found = new TreeSet<>();
        try (Fd open = SYS.reopen(dir, Fcntl.O_RDONLY | Fcntl.O_DIRECTORY);
                Arena arena = Arena.ofConfined()) {
            MemorySegment entries = arena.allocate(roomSize, 8);
            int filled;
            while ((filled = SYS.getdents64(open, entries)) > 0) {
                for (long at = 0; at < filled; ) {
                    DirectoryEntry entry = DirectoryEntry.read(entries, at);
                    at += entry.recordLength();
                    found.add(entry.name());
                    checkEntry(entry);
                }
            }
        }
        return found;
    }

    private void checkEntry(DirectoryEntry entry) throws Exception {
        if (!entry.name().toString().equals("..")) {
            var status = SYS.statxAt(dir, entry.name(), Stat.STATX_BASIC_STATS);
            assertEquals(status.ino(), entry.ino());
            assertEquals(status.mode() >> 12, entry.type());
        }
    }

    /// Any bytes but NUL and slash are a name. Caught: names converted to text on the way.
    @Test
    void aNameNeedNotBeText() throws Exception {
        byte[] noText = {(byte) 0xff, (byte) 0xfe, 1, ' ', '\n'};

        SYS.mkdirat(dir, Name.of(noText), 0700);
        assertEquals(true, names(1000).contains(Name.of(noText)));
        SYS.renameat2(dir, Name.of(noText), dir, Name.of("text"), 0);

        assertEquals(true, Files.isDirectory(temp.resolve("text")));
        SYS.unlinkat(dir, Name.of("text"), Fcntl.AT_REMOVEDIR);
        assertErrno(Errno.ENOENT, () -> SYS.unlinkat(dir, Name.of("text"), Fcntl.AT_REMOVEDIR));
    }

    /// Caught: the two names of a call in the same memory; the flags not passed on.
    @Test
    void renamingCanRefuseAndExchange() throws Exception {
        Files.writeString(temp.resolve("a"), "A");
        Files.writeString(temp.resolve("b"), "B");

        assertErrno(Errno.EEXIST, () -> SYS.renameat2(dir, Name.of("a"), dir, Name.of("b"), Fcntl.RENAME_NOREPLACE));
        SYS.renameat2(dir, Name.of("a"), dir, Name.of("b"), Fcntl.RENAME_EXCHANGE);

        assertEquals("B", Files.readString(temp.resolve("a")));
        assertEquals("A", Files.readString(temp.resolve("b")));
    }

    /// The longest target fits. Caught: the name in the target's place.
    @ParameterizedTest
    @ValueSource(ints = {1, 300, 4095})
    void aSymbolicLinkSaysWhatItWasTold(int length) throws Exception {
        Name target = Name.of("t".repeat(length));

        SYS.symlinkat(target, dir, Name.of("link"));
        Fd link = HostKernel.reference(dir, "link");

        assertArrayEquals(target.bytes(), SYS.readlink(link));
        SYS.linkFd(link, dir, Name.of("again"));
        assertEquals(2, SYS.statx(link, Stat.STATX_NLINK).nlink());
        assertEquals(
                true,
                Stat.isSymlink(
                        SYS.statxAt(dir, Name.of("again"), Stat.STATX_TYPE).mode()));
        link.close();
    }

    /// One more name for a file that is known by its descriptor only.
    @Test
    void aFileGetsASecondNameByItsDescriptor() throws Exception {
        Files.writeString(temp.resolve("first"), "one file");
        Fd file = HostKernel.reference(dir, "first");
        SYS.renameat2(dir, Name.of("first"), dir, Name.of("moved"), 0);

        SYS.linkFd(file, dir, Name.of("second"));
        file.close();

        assertEquals("one file", Files.readString(temp.resolve("second")));
    }
}
