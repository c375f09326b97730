package vitrine.conformance.passthrough;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.posix.Mounted;
import vitrine.fuse.struct.EntryOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;

/// A name is looked up that leads to a file which the guest has forgotten, while the host changes
/// what it leads to.
class ForgottenFileTest extends SharedFolder {

    private static final int BIRTH = 80; // in struct statx

    private Mounted mounted;

    @BeforeEach
    void serve() throws Exception {
        mounted = Mounted.ext4(share); // uses an inode number again at once
        serve(PassthroughOptions.DEFAULT);
        guest.mkdir(Guest.ROOT, "warm", 0755); // the thread has found out who it is
        guest.libc.afterStatx(ForgottenFileTest::likeAllOthers);
    }

    /// All files are born at once, as files are that are made in a row (before Linux 6.13).
    private static void likeAllOthers(MemorySegment statx) {
        statx.set(JAVA_LONG, BIRTH, 0);
        statx.set(JAVA_INT, BIRTH + Long.BYTES, 0);
    }

    @AfterEach
    void close() throws Exception {
        if (guest != null) {
            guest.libc.failNothing();
        }
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

    /// Something that is done on the host.
    private interface Deed {
        void run() throws Exception;
    }

    /// The first look at the name is a statx(2): another thread does it right after.
    private void afterTheFirstLook(Deed deed) {
        guest.libc.afterStatx(statx -> {
            likeAllOthers(statx);
            guest.libc.afterStatx(ForgottenFileTest::likeAllOthers);
            FutureTask<Void> task = new FutureTask<>(() -> {
                deed.run();
                return null;
            });
            Thread.ofPlatform().start(task);
            assertDoesNotThrow(() -> task.get());
        });
    }

    /// The host replaces a forgotten file between the two looks at its name that LOOKUP takes: the
    /// guest is told nodeid and attributes of the same file, be it the one or the other.
    ///
    /// Caught: the attributes of the first look told of the file that was opened; only the inode
    /// numbers compared, which ext4 gives to the next file at once.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aForgottenFileThatIsReplacedWhileLookedUpIsAnotherFile(boolean sameNumber) throws Exception {
        Files.writeString(share.resolve("f"), "old");
        EntryOut old = lookedUpAndForgotten("f");
        Path other = sameNumber ? share.resolve("f") : Files.writeString(share.resolve("g"), "newer");
        afterTheFirstLook(() -> {
            if (sameNumber) {
                Files.delete(share.resolve("f"));
                Files.writeString(other, "newer");
            } else {
                Files.move(other, share.resolve("f"), StandardCopyOption.ATOMIC_MOVE);
            }
        });

        EntryOut found = guest.lookup(Guest.ROOT, "f");

        assertEquals(sameNumber, old.attr().ino() == found.attr().ino());
        assertEquals(5, found.attr().size());
        assertNotEquals(old.nodeid(), found.nodeid());
        assertEquals(found, guest.lookup(found.nodeid(), "."));
        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.lookup(old.nodeid(), ".")));
    }

    /// The other way round: what the name led to at first is a file that was never known, and when
    /// it is opened it is the forgotten one.
    ///
    /// Caught: the attributes of the first look told if any file forgotten has the key of what was
    /// opened.
    @Test
    void aForgottenFileThatComesInBetweenHasItsOwnAttributes() throws Exception {
        Files.writeString(share.resolve("f"), "old");
        EntryOut old = lookedUpAndForgotten("f");
        Files.writeString(share.resolve("name"), "newer");
        afterTheFirstLook(() -> Files.move(share.resolve("f"), share.resolve("name"), StandardCopyOption.ATOMIC_MOVE));

        EntryOut found = guest.lookup(Guest.ROOT, "name");

        assertEquals(old.nodeid(), found.nodeid());
        assertEquals(old.attr().ino(), found.attr().ino());
        assertEquals(3, found.attr().size());
    }

    /// Between the two looks another queue looks up, and forgets, a file that has been given the
    /// inode number of the one that the name led to at first. Its handle is remembered, but nothing
    /// is known about what had its number before.
    ///
    /// Caught: a handle that counts even if it was remembered after the first look.
    @Test
    void aFileThatIsForgottenInBetweenHasItsOwnAttributes() throws Exception {
        Files.writeString(share.resolve("f"), "old");
        long number = (Long) Files.getAttribute(share.resolve("f"), "unix:ino");
        afterTheFirstLook(() -> {
            Files.delete(share.resolve("f"));
            Files.writeString(share.resolve("f"), "newer");
            lookedUpAndForgotten("f");
        });

        EntryOut found = guest.lookup(Guest.ROOT, "f");

        assertEquals(number, found.attr().ino(), "ext4 uses the number again");
        assertEquals(5, found.attr().size());
    }

    /// The same with a file that another queue looks up and goes on knowing, by its handle alone.
    ///
    /// Caught: a nodeid that was given after the first look.
    @Test
    void aFileThatBecomesKnownInBetweenHasItsOwnAttributes() throws Exception {
        try (Guest frugal = new Guest(share, PassthroughOptions.DEFAULT.withFileHandles(FileHandleUse.MANDATORY))) {
            Files.writeString(share.resolve("f"), "old");
            long number = (Long) Files.getAttribute(share.resolve("f"), "unix:ino");
            afterTheFirstLook(() -> {
                Files.delete(share.resolve("f"));
                Files.writeString(share.resolve("f"), "newer");
                frugal.lookup(Guest.ROOT, "f");
            });

            EntryOut found = frugal.lookup(Guest.ROOT, "f");

            assertEquals(number, found.attr().ino(), "ext4 uses the number again");
            assertEquals(5, found.attr().size());
        }
    }

    /// What is behind another mount is another file, be it of the same number and handle: there it
    /// is the same one, in a copy of the file system it would be not.
    ///
    /// Caught: file handles compared without the mount that they are good for.
    @Test
    void aFileBehindAMountThatComesInBetweenIsAnother() throws Exception {
        Path file = Files.writeString(share.resolve("f"), "old");
        EntryOut old = lookedUpAndForgotten("f");
        AtomicReference<Mounted> over = new AtomicReference<>();
        afterTheFirstLook(() -> over.set(Mounted.bind(file, file)));
        try {
            EntryOut found = guest.lookup(Guest.ROOT, "f");

            assertEquals(old.attr().ino(), found.attr().ino());
            assertNotEquals(old.nodeid(), found.nodeid());
        } finally {
            over.get().close();
        }
    }

    /// While a file is made, another queue looks it up and forgets it: it keeps the nodeid that was
    /// told first.
    ///
    /// Caught: all that is remembered with the number of a new file taken for older ones.
    @Test
    void aFileThatIsForgottenWhileItIsMadeKeepsItsNodeid() throws Exception {
        AtomicReference<EntryOut> first = new AtomicReference<>();
        afterTheFirstLook(() -> first.set(lookedUpAndForgotten("new")));

        EntryOut made = guest.create(Guest.ROOT, "new", Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_RDWR, 0600, 0)
                .entry();

        assertEquals(first.get().nodeid(), made.nodeid());
    }

    /// overlayfs shows another time of birth once a file is written to. It is the same file.
    ///
    /// Caught: times of birth compared whatever the file system.
    @Test
    void aForgottenFileThatOverlayfsHasCopiedIsTheSame() throws Exception {
        Path lower = Files.createDirectory(share.resolve("lower"));
        Path over = Files.createDirectory(share.resolve("over"));
        Files.writeString(lower.resolve("f"), "old");
        guest.libc.failNothing(); // births are what they are
        Thread.sleep(20); // births of the copy and of its original differ
        try (Mounted _ = Mounted.overlayWithHandles(lower, over);
                Guest other = new Guest(over, PassthroughOptions.DEFAULT)) {
            EntryOut old = other.lookup(Guest.ROOT, "f");
            other.forget(old.nodeid(), 1);
            Object birth = Files.getAttribute(over.resolve("f"), "unix:creationTime");
            Files.writeString(over.resolve("f"), "newer");

            assertNotEquals(birth, Files.getAttribute(over.resolve("f"), "unix:creationTime"));
            assertEquals(old.nodeid(), other.lookup(Guest.ROOT, "f").nodeid());
            assertEquals(old.nodeid(), other.lookup(old.nodeid(), ".").nodeid());
        }
    }
}
