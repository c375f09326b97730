package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.posix.Mounted;
import vitrine.fuse.struct.EntryOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.posix.Errno;

/// What a guest that exports the share over NFS relies on: a nodeid and a generation find a file
/// again after the guest has dropped it from its caches and forgotten it.
///
/// Linux asks LOOKUP of `.` for the nodeid in such a handle, takes no other nodeid for an answer
/// (EIO), and compares the generation itself (fuse_get_dentry).
class ExportTest extends SharedFolder {

    private static final int REMEMBERED = 65_536;

    private Mounted mounted;

    @BeforeEach
    void serve() throws Exception {
        mounted = Mounted.ext4(share); // uses an inode number again at once
        serve(PassthroughOptions.DEFAULT);
    }

    @AfterEach
    void close() throws Exception {
        endGuest(); // or the mount is busy
        if (mounted != null) {
            mounted.close();
        }
    }

    private EntryOut lookedUpAndForgotten(String name) throws Exception {
        EntryOut entry = guest.lookup(Guest.ROOT, name);
        guest.forget(entry.nodeid(), 1);
        return entry;
    }

    private EntryOut byHandle(EntryOut entry) throws Exception {
        return guest.lookup(entry.nodeid(), ".");
    }

    private int errno(EntryOut entry) throws Exception {
        return Guest.errnoOf(() -> byHandle(entry));
    }

    /// Each kind of file, with descriptors and without: same nodeid, same generation, and all that
    /// can be done with it; and once more after it was forgotten once more.
    ///
    /// Caught: a new nodeid for the same file; ESTALE after the first FORGET, or after the second.
    @ParameterizedTest
    @EnumSource
    void aForgottenFileIsFoundByItsNodeid(FileHandleUse use) throws Exception {
        guest.close();
        guest = new Guest(share, PassthroughOptions.DEFAULT.withFileHandles(use));
        Files.writeString(share.resolve("file"), "hello");
        Files.createDirectory(share.resolve("directory"));
        Files.writeString(share.resolve("directory/inside"), "");
        guest.forget(guest.symlink(Guest.ROOT, "link", "to/nowhere").nodeid(), 1);
        guest.forget(guest.mknod(Guest.ROOT, "fifo", 0010600, 0).nodeid(), 1);

        for (String name : List.of("file", "directory", "link", "fifo")) {
            EntryOut before = lookedUpAndForgotten(name);
            for (int round = 0; round < 3; round++) {
                assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.getattr(before.nodeid())));
                assertEquals(before, byHandle(before), name);
                assertEquals(before.attr(), guest.getattr(before.nodeid()));
                guest.forget(before.nodeid(), 1);
            }
        }
        EntryOut file = byHandle(lookedUpAndForgotten("file"));
        long fh = guest.open(file.nodeid(), 0);
        assertEquals("hello", new String(guest.read(file.nodeid(), fh, 0, 9)));
        EntryOut directory = byHandle(lookedUpAndForgotten("directory"));
        assertEquals(0, Guest.errnoOf(() -> guest.lookup(directory.nodeid(), "inside")));
        assertEquals(Guest.ROOT, guest.lookup(directory.nodeid(), "..").nodeid());
    }

    /// Found by a name in between it is the same nodeid too: with another, Linux' answer to the
    /// holder of the handle would be EIO.
    ///
    /// Caught: a new nodeid for a file that is found by name.
    @Test
    void aForgottenFileHasItsNodeidUnderEveryName() throws Exception {
        Files.writeString(share.resolve("f"), "");
        EntryOut before = lookedUpAndForgotten("f");
        Files.move(share.resolve("f"), share.resolve("g"));
        Files.createLink(share.resolve("h"), share.resolve("g"));

        assertEquals(before.nodeid(), guest.lookup(Guest.ROOT, "g").nodeid());
        assertEquals(before.nodeid(), guest.lookup(Guest.ROOT, "h").nodeid());
        assertEquals(before.nodeid(), byHandle(before).nodeid());
        guest.forget(before.nodeid(), 3);
        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.getattr(before.nodeid())));
    }

    /// A file that was deleted is gone, although another has its inode number by now: that one has
    /// a nodeid of its own.
    ///
    /// Caught: files told apart by their inode numbers.
    @Test
    void aDeletedFileIsGone() throws Exception {
        Files.writeString(share.resolve("old"), "");
        EntryOut old = lookedUpAndForgotten("old");
        Files.delete(share.resolve("old"));
        Files.writeString(share.resolve("new"), "");
        EntryOut other = lookedUpAndForgotten("new");

        assertEquals(old.attr().ino(), other.attr().ino(), "ext4 uses the number again");
        assertNotEquals(old.nodeid(), other.nodeid());
        assertEquals(Errno.ESTALE, errno(old));
        assertEquals(other.nodeid(), byHandle(other).nodeid());
        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.lookup(4711, ".")));
    }

    /// In a new session an old handle means nothing. The nodeids of a new daemon begin anew, so it
    /// is the generation that tells; of the root, Linux decides it itself.
    ///
    /// Caught: a generation that is always the same; one for the root.
    @Test
    void ofAnEarlierSessionNothingIsLeft() throws Exception {
        Files.writeString(share.resolve("f"), "");
        EntryOut before = lookedUpAndForgotten("f");

        guest.init(38, Guest.ALL_FLAGS);

        assertEquals(Errno.ESTALE, errno(before));
        assertNotEquals(
                (int) before.generation(), (int) guest.lookup(Guest.ROOT, "f").generation());
        assertEquals(0, guest.lookup(Guest.ROOT, ".").generation());
        assertEquals(0, guest.lookup(Guest.ROOT, "..").generation());
    }

    /// Where the host has mounted the share alone, as the sandbox does, and moves a directory out
    /// of it, that has nothing above it any more.
    ///
    /// Caught: the host's ENOENT.
    @Test
    void aDirectoryThatIsMovedOutOfWhatIsMountedHasNothingAboveIt() throws Exception {
        Path whole = Files.createDirectory(temporary.resolve("whole"));
        Files.createDirectories(whole.resolve("part/d"));
        try (Mounted _ = Mounted.bind(whole.resolve("part"), share)) {
            serve(PassthroughOptions.DEFAULT);
            long d = guest.node("d");
            Files.move(whole.resolve("part/d"), whole.resolve("d"));

            assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.lookup(d, "..")));
            endGuest();
        }
    }

    /// Inside another mount nothing is remembered: the host's administrator can unmount it.
    ///
    /// Caught: remembered all the same; a generation there, which for the root of what Linux mounts
    /// for it is 0.
    @Test
    void aMountInsideIsNotKeptBusy() throws Exception {
        Path inside = Files.createDirectory(share.resolve("inside"));
        try (Mounted _ = Mounted.tmpfs(inside)) {
            Files.writeString(inside.resolve("f"), "");
            EntryOut mount = guest.lookup(Guest.ROOT, "inside");
            EntryOut file = guest.lookup(mount.nodeid(), "f");
            assertEquals(0, mount.generation());
            assertEquals(0, file.generation());
            assertEquals(mount.nodeid(), guest.lookup(mount.nodeid(), ".").nodeid());
            assertEquals(List.of("close"), guest.libc.during(() -> guest.forget(file.nodeid(), 1)));
            guest.forget(mount.nodeid(), 2);
            assertEquals(Errno.ESTALE, errno(file));
        }
    }

    /// Without the right to open handles, or without handles, a forgotten file is forgotten.
    ///
    /// Caught: an answer with the errno of the host (EPERM), which an NFS server would pass on.
    @Test
    void whereThereAreNoHandlesAForgottenFileIsStale() throws Exception {
        Files.writeString(share.resolve("f"), "");
        for (String missing : List.of("name_to_handle_at", "open_by_handle_at")) {
            guest.close();
            guest.libc.fail(missing, missing.startsWith("open") ? Errno.EPERM : Errno.EOPNOTSUPP);
            guest = new Guest(share, PassthroughOptions.DEFAULT);
            EntryOut before = lookedUpAndForgotten("f");

            assertEquals(Errno.ESTALE, errno(before));
            assertEquals(0, Guest.errnoOf(() -> guest.lookup(Guest.ROOT, "f")));
            guest.libc.failNothing();
        }
    }

    /// Whoever forgets on one queue and asks on another: the file is there, known or remembered,
    /// and has one nodeid all the time.
    ///
    /// Caught (ESTALE): a file remembered only after its last lookup was taken back; or only if the
    /// count was the last when it was looked at first.
    @Test
    void thereIsNoMomentBetweenKnownAndRemembered() throws Exception {
        Files.writeString(share.resolve("f"), "");
        for (int round = 0; round < 2000; round++) {
            long node = guest.node("f");
            AtomicReference<Throwable> failure = new AtomicReference<>();
            CountDownLatch asking = new CountDownLatch(1);
            Thread other = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 10; i++) {
                        assertEquals(node, guest.lookup(node, ".").nodeid());
                        asking.countDown();
                        guest.forget(node, 1);
                    }
                } catch (Throwable e) {
                    failure.set(e);
                    asking.countDown();
                }
            });
            asking.await();
            guest.forget(node, 1);
            other.join();

            assertEquals(null, failure.get(), "round " + round);
            guest.init(38, Guest.ALL_FLAGS); // nothing is remembered
        }
    }

    /// The memory is bounded: the file that was forgotten first goes first, and one that was asked
    /// for meanwhile stays.
    ///
    /// Caught: no bound; the oldest nodeid dropped instead of the one forgotten longest ago.
    @Test
    void theOldestMakeRoom() throws Exception {
        guest.close();
        mounted.close();
        mounted = Mounted.tmpfs(share);
        guest = new Guest(share, PassthroughOptions.DEFAULT);
        for (int i = 0; i <= REMEMBERED; i++) {
            Files.createFile(share.resolve("f" + i));
        }
        EntryOut first = lookedUpAndForgotten("f0");
        EntryOut second = lookedUpAndForgotten("f1");
        for (int i = 2; i < REMEMBERED; i++) {
            lookedUpAndForgotten("f" + i);
        }
        guest.forget(byHandle(first).nodeid(), 1);

        EntryOut last = lookedUpAndForgotten("f" + REMEMBERED);

        assertEquals(0, errno(last));
        assertEquals(0, errno(first));
        assertEquals(Errno.ESTALE, errno(second));
    }
}
