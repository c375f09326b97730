package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

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
import vitrine.posix.Errno;

/// A name is looked up that leads to a file which the guest has forgotten, while the host changes
/// what it leads to.
class ForgottenFileTest extends SharedFolder {

    private Mounted mounted;

    @BeforeEach
    void serve() throws Exception {
        mounted = Mounted.ext4(share); // uses an inode number again at once
        serve(PassthroughOptions.DEFAULT);
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
        guest.libc.afterStatx(_ -> {
            guest.libc.failNothing();
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
}
