package vitrine.conformance.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.migration.MovedGuest.by;
import static vitrine.conformance.migration.MovedGuest.bytes;
import static vitrine.conformance.migration.MovedGuest.options;
import static vitrine.conformance.migration.MovedGuest.text;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.rules.Needs;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.kernel.DirectoryEntry;
import vitrine.guest.process.GuestProcess;
import vitrine.migration.MigrationOptions;
import vitrine.migration.MigrationOptions.Mode;
import vitrine.migration.MigrationOptions.OnError;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.RangeLock;

/// A guest moves to another daemon, with all that it has open.
class MoveTest {

    @TempDir
    Path host;

    /// Whatever a program has open goes on as if nothing had happened: reading where it was,
    /// writing, listing a directory of which it has seen a part; and what it does anew works too.
    ///
    /// Seen to catch: Arrival not resuming handles; StateRecord.Open without the flags of the host;
    /// FuseSession not resuming what was agreed on.
    @ParameterizedTest
    @EnumSource
    void aProgramGoesOnWithAllThatItHasOpen(Mode mode) throws Exception {
        needs(mode);
        Files.createDirectories(host.resolve("a/b"));
        Files.writeString(host.resolve("a/b/read"), "0123456789");
        for (int i = 0; i < 200; i++) {
            Files.createFile(host.resolve("a/b/file-with-a-rather-long-name-" + i));
        }
        try (MovedGuest guest = new MovedGuest(host, options(by(mode)))) {
            GuestProcess program = guest.program;
            int reading = program.open("/a/b/read", Fcntl.O_RDONLY);
            assertEquals("012", text(program.read(reading, 3)));
            int writing = program.open("/a/new", Fcntl.O_RDWR | Fcntl.O_CREAT, 0640);
            program.write(writing, bytes("before "));
            int listing = program.open("/a/b", Fcntl.O_RDONLY | Fcntl.O_DIRECTORY);
            List<DirectoryEntry> seen = program.getdents(listing);

            guest.moveTo(host, options(by(mode)));

            assertEquals("345", text(program.read(reading, 3)));
            program.write(writing, bytes("after"));
            program.fsync(writing);
            assertEquals("before after", Files.readString(host.resolve("a/new")));
            Set<String> names = new HashSet<>();
            for (List<DirectoryEntry> some = seen; !some.isEmpty(); some = program.getdents(listing)) {
                some.forEach(entry -> assertTrue(names.add(entry.name()), entry.name()));
            }
            assertEquals(203, names.size()); // with . and ..
            program.mkdir("/a/b/made", 0755);
            program.rename("/a/b/made", "/a/moved");
            program.unlink("/a/b/read");
            assertEquals("6789", text(program.read(reading, 10)));
            program.close(reading);
            program.close(writing);
            program.close(listing);
        }
    }

    private void needs(Mode mode) {
        if (mode == Mode.FILE_HANDLES) {
            Needs.root();
        }
    }

    /// The directory need not be the same one: paths lead to the same files in a copy.
    ///
    /// Seen to catch: HostPaths.told not cutting off the shared directory's own path.
    @Test
    void byPathsTheOtherDaemonMayHaveACopy(@TempDir Path copy) throws Exception {
        Files.writeString(host.resolve("file"), "original");
        Files.writeString(copy.resolve("file"), "the copy");
        try (MovedGuest guest = new MovedGuest(host, options(by(Mode.FIND_PATHS)))) {
            int file = guest.program.open("/file", Fcntl.O_RDWR);

            guest.moveTo(copy, options(by(Mode.FIND_PATHS)));

            guest.program.pwrite(file, bytes("THE"), 0);
            guest.program.fsync(file);
            assertEquals("THE copy", Files.readString(copy.resolve("file")));
            assertEquals("original", Files.readString(host.resolve("file")));
        }
    }

    /// A file has another name by now, or none by which it was found: what the host's kernel says
    /// counts, and else the whole directory is looked through.
    ///
    /// Seen to catch: Departure without HostPaths.search.
    @Test
    void aFileIsFoundByTheNameThatItHasNow() throws Exception {
        Files.createDirectory(host.resolve("deep"));
        Files.writeString(host.resolve("renamed"), "one");
        Files.writeString(host.resolve("linked"), "two");
        try (MovedGuest guest = new MovedGuest(host, options(by(Mode.FIND_PATHS)))) {
            int one = guest.program.open("/renamed", Fcntl.O_RDONLY);
            int two = guest.program.open("/linked", Fcntl.O_RDONLY);
            Files.move(host.resolve("renamed"), host.resolve("deep/elsewhere"));
            Files.createLink(host.resolve("deep/other"), host.resolve("linked"));
            Files.delete(host.resolve("linked"));

            guest.moveTo(host, options(by(Mode.FIND_PATHS)));

            assertEquals("one", text(guest.program.read(one, 10)));
            assertEquals("two", text(guest.program.read(two, 10)));
        }
    }

    /// `--migration-on-error=abort`: a file that is not found keeps the guest where it was, and it
    /// goes on there.
    ///
    /// Seen to catch: Arrival.tellLosses not throwing.
    @Test
    void aFileThatIsNotFoundKeepsTheGuestWhereItWas(@TempDir Path copy) throws Exception {
        Files.writeString(host.resolve("file"), "here");
        try (MovedGuest guest = new MovedGuest(host, options(by(Mode.FIND_PATHS)))) {
            int file = guest.program.open("/file", Fcntl.O_RDONLY);

            assertThrows(FrontendException.class, () -> guest.moveTo(copy, options(by(Mode.FIND_PATHS))));

            assertEquals("here", text(guest.program.read(file, 10)));
            assertEquals(4, guest.program.stat("/file").size());
        }
    }

    /// `--migration-on-error=guest-error`: the guest moves, hears `ESTALE` of that file, and may
    /// close it; everything else works.
    ///
    /// Seen to catch: HandleTable answering `EBADF` for a handle that was lost.
    @Test
    void aGuestThatMovesAllTheSameHearsThatAFileIsStale(@TempDir Path copy) throws Exception {
        Files.writeString(host.resolve("lost"), "here");
        Files.writeString(host.resolve("there"), "too");
        Files.writeString(copy.resolve("there"), "too");
        MigrationOptions anyway = new MigrationOptions(Mode.FIND_PATHS, OnError.GUEST_ERROR, false, false);
        try (MovedGuest guest = new MovedGuest(host, options(anyway))) {
            int lost = guest.program.open("/lost", Fcntl.O_RDONLY);
            int there = guest.program.open("/there", Fcntl.O_RDONLY);

            guest.moveTo(copy, options(anyway));

            assertEquals(Errno.ESTALE, errno(() -> guest.program.read(lost, 10)));
            assertEquals(Errno.ESTALE, errno(() -> guest.program.close(lost))); // as with NFS, and it is closed
            assertEquals(Errno.EBADF, errno(() -> guest.program.read(lost, 10)));
            assertEquals("too", text(guest.program.read(there, 10)));
        }
    }

    /// A file without any name is found by its handle, while the first daemon has it open, by a
    /// daemon that was told to. The first one sends it in any case, for want of a path.
    ///
    /// Seen to catch: Departure.record without lastResort; Arrival.find never opening a handle.
    @ParameterizedTest
    @EnumSource
    void aFileWithoutANameMovesByItsHandle(Mode source) throws Exception {
        Needs.root();
        try (MovedGuest guest = new MovedGuest(host, options(by(source)))) {
            int file = guest.program.open("/file", Fcntl.O_RDWR | Fcntl.O_CREAT, 0600);
            guest.program.write(file, bytes("nameless"));
            guest.program.fsync(file);
            Files.delete(host.resolve("file"));

            assertThrows(FrontendException.class, () -> guest.moveTo(host, options(by(Mode.FIND_PATHS))));
            guest.moveTo(host, options(by(Mode.FILE_HANDLES)));

            assertEquals("nameless", text(guest.program.pread(file, 10, 0)));
        }
    }

    /// `--migration-verify-handles`: another file of the same name is not taken for the one.
    ///
    /// Seen to catch: Arrival.findByPath not comparing handles.
    @Test
    void withHandlesToCompareAnotherFileOfTheNameIsNotTaken(@TempDir Path copy) throws Exception {
        Files.writeString(host.resolve("file"), "one");
        Files.writeString(copy.resolve("file"), "another");
        MigrationOptions verified = new MigrationOptions(Mode.FIND_PATHS, OnError.ABORT, true, true);
        try (MovedGuest guest = new MovedGuest(host, options(verified))) {
            int file = guest.program.open("/file", Fcntl.O_RDONLY);

            assertThrows(FrontendException.class, () -> guest.moveTo(copy, options(verified)));
            guest.moveTo(host, options(verified));

            assertEquals("one", text(guest.program.read(file, 10)));
        }
    }

    /// Also of a file that was found by looking through the whole share.
    ///
    /// Seen to catch: Departure.writeFound without a handle.
    @Test
    void aFileThatWasSearchedForIsComparedToo(@TempDir Path copy) throws Exception {
        Files.writeString(host.resolve("file"), "one");
        Files.writeString(copy.resolve("link"), "another");
        MigrationOptions verified = new MigrationOptions(Mode.FIND_PATHS, OnError.ABORT, true, false);
        try (MovedGuest guest = new MovedGuest(host, options(verified))) {
            int file = guest.program.open("/file", Fcntl.O_RDONLY);
            Files.createLink(host.resolve("link"), host.resolve("file"));
            Files.delete(host.resolve("file"));

            assertThrows(FrontendException.class, () -> guest.moveTo(copy, options(verified)));
            guest.moveTo(host, options(verified));

            assertEquals("one", text(guest.program.read(file, 10)));
        }
    }

    /// A daemon that was not started with what the guest was promised does not take it.
    ///
    /// Seen to catch: Negotiation.resume taking all flags.
    @Test
    void aDaemonWithFewerPromisesDoesNotTakeTheGuest() throws Exception {
        Files.writeString(host.resolve("file"), "here");
        PassthroughOptions writeback = options(by(Mode.FIND_PATHS)).with(Feature.WRITEBACK);
        try (MovedGuest guest = new MovedGuest(host, writeback)) {
            assertThrows(FrontendException.class, () -> guest.moveTo(host, options(by(Mode.FIND_PATHS))));

            guest.moveTo(host, writeback);
            assertEquals(4, guest.program.stat("/file").size());
        }
    }

    /// Locks on the host would be lost on the way, so a guest that has some stays, until it has
    /// given them up.
    ///
    /// Seen to catch: Departure without requireNoLocks.
    @Test
    void aGuestWithLocksOnTheHostStays() throws Exception {
        PassthroughOptions locks = options(by(Mode.FIND_PATHS)).with(Feature.POSIX_LOCKS, Feature.FLOCKS);
        try (MovedGuest guest = new MovedGuest(host, locks)) {
            int file = guest.program.open("/file", Fcntl.O_RDWR | Fcntl.O_CREAT, 0600);
            guest.program.lock(file, new RangeLock(Fcntl.F_WRLCK, 0, 9));
            assertThrows(FrontendException.class, () -> guest.moveTo(host, locks));
            guest.program.lock(file, new RangeLock(Fcntl.F_UNLCK, 0, 9));
            guest.program.flock(file, Fcntl.LOCK_EX);
            assertThrows(FrontendException.class, () -> guest.moveTo(host, locks));
            guest.program.flock(file, Fcntl.LOCK_UN);

            guest.moveTo(host, locks);
        }
    }

    private interface Call {
        void run() throws ErrnoException;
    }

    private static int errno(Call call) {
        try {
            call.run();
            return 0;
        } catch (ErrnoException e) {
            return e.errno();
        }
    }
}
