package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.fuse.struct.EntryOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Libc;
import vitrine.posix.Stat;

/// Somebody on the host removes what a request makes, or what it has just found in its way. A
/// program on the host that is as unlucky hears of no error, and the name is not there.
class RemovedAtOnceTest extends SharedFolder {

    private static final int CREATE = Fcntl.O_CREAT | Fcntl.O_RDWR;
    private static final int ROUNDS = 2000;

    @BeforeEach
    void serve() throws Exception {
        serve(PassthroughOptions.DEFAULT);
    }

    private void beforeCall(int nth, String function, IoAction deed) {
        AtomicInteger calls = new AtomicInteger();
        guest.libc.before(function, () -> {
            if (calls.incrementAndGet() == nth) {
                deed.runUnchecked();
            }
        });
    }

    /// Something that the host does.
    private interface IoAction {
        void run() throws IOException;

        default void runUnchecked() {
            try {
                run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// open(2) with O_CREAT: it is there, or it is made.
    ///
    /// Caught: no second try (ENOENT).
    @Test
    void aFileThatIsInTheWayAndGoesIsMadeAnew() throws Exception {
        Path file = Files.writeString(share.resolve("f"), "old");
        beforeCall(1, "statx", () -> Files.delete(file));

        Guest.Created made = guest.create(Guest.ROOT, "f", CREATE, 0644, 0);

        assertArrayEquals(
                new byte[0], guest.read(made.entry().nodeid(), made.open().fh(), 0, 10));
        assertTrue(Files.exists(file));
    }

    /// The host makes and removes the name at each step: in the end the guest's kernel is told to
    /// begin once more.
    ///
    /// Caught: tries without end (the test ends by its timeout).
    @Test
    void whatComesAndGoesForEverIsStale() throws Exception {
        Path file = share.resolve("f");
        guest.libc.standIn("openat", _ -> {
            Libc.setLastErrno(Errno.EEXIST);
            return -1;
        });

        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.create(Guest.ROOT, "f", CREATE, 0644, 0)));
        assertTrue(Files.notExists(file));
    }

    /// A thread of the host's that makes and removes it all the time, and no hook.
    ///
    /// Caught: no second try; none if the file is gone when its handle is opened.
    @ParameterizedTest
    @EnumSource
    void openingWhatSomebodyRemovesNeverSaysThatItIsMissing(FileHandleUse use) throws Exception {
        serve(PassthroughOptions.DEFAULT.withFileHandles(use));
        Path file = share.resolve("f");
        AtomicBoolean over = new AtomicBoolean();
        Thread host = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                ((IoAction) () -> Files.deleteIfExists(file)).runUnchecked();
                ((IoAction) () -> Files.newByteChannel(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                                .close())
                        .runUnchecked();
            }
        });
        try {
            for (int round = 0; round < ROUNDS; round++) {
                Guest.Created made = guest.create(Guest.ROOT, "f", CREATE, 0644, 0);
                guest.release(made.entry().nodeid(), made.open().fh());
                guest.forget(made.entry().nodeid(), 1);
            }
        } finally {
            over.set(true);
            host.join();
        }
    }

    /// mkdir(2), mknod(2) and symlink(2) succeed. What the guest gets may not be believed, and is
    /// nothing.
    ///
    /// Caught: ENOENT from the lookup after; the type of the file that has the name now (of which
    /// Linux makes EIO); a name that may be believed.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasMadeWasMade(boolean replaced) throws Exception {
        Path name = share.resolve("n");
        record Maker(int type, MakerCall call) {}
        List<Maker> makers = List.of(
                new Maker(Stat.S_IFDIR, () -> guest.mkdir(Guest.ROOT, "n", 0755)),
                new Maker(Stat.S_IFIFO, () -> guest.mknod(Guest.ROOT, "n", Stat.S_IFIFO | 0644, 0)),
                new Maker(Stat.S_IFLNK, () -> guest.symlink(Guest.ROOT, "n", "anywhere")));
        for (Maker maker : makers) {
            beforeCall(1, "openat", () -> {
                Files.delete(name);
                if (replaced) {
                    Files.writeString(name, "another");
                }
            });

            EntryOut made = maker.call.make();

            assertEquals(maker.type, made.attr().mode() & Stat.S_IFMT);
            assertEquals(0, made.entryValid() + made.entryValidNsec());
            assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.getattr(made.nodeid())));
            guest.forget(made.nodeid(), 1);
            Files.deleteIfExists(name);
        }
    }

    private interface MakerCall {
        EntryOut make() throws Exception;
    }
}
