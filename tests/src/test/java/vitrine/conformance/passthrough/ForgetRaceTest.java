package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.posix.HostKernel;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.EntryOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;

/// Several queues at once on the same few files.
class ForgetRaceTest {

    private static final int THREADS = 8;
    private static final int ROUNDS = 2000;
    private static final int FILES = 5;

    /// Eight queues look up, list, use and forget the same five files. A nodeid is good from its
    /// reply to the forget of the same queue, and names the file that was asked for; in the end
    /// every descriptor is closed.
    ///
    /// Field report: kata-containers #13329.
    ///
    /// Caught: a lookup counted on an inode whose last forget is on its way (ESTALE, or a
    /// descriptor that is never closed); a nodeid told before the table has it.
    @ParameterizedTest
    @EnumSource
    void lookupsAndForgetsOfManyQueuesLeaveNothingBehind(FileHandleUse use, @TempDir Path share) throws Exception {
        needs(use, share);
        for (int i = 0; i < FILES; i++) {
            Files.writeString(share.resolve("f" + i), "x".repeat(i));
        }
        try (Guest guest = new Guest(share, PassthroughOptions.DEFAULT.withFileHandles(use))) {
            long before = Descriptors.under(share);

            inThreads(seed -> play(guest, new Random(seed)));

            assertEquals(before, Descriptors.under(share));
        }
        assertEquals(0, Descriptors.under(share));
    }

    private static void play(Guest guest, Random random) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            int i = random.nextInt(FILES);
            EntryOut entry = guest.lookup(Guest.ROOT, "f" + i);
            assertEquals(i, guest.getattr(entry.nodeid()).size());
            if (random.nextInt(4) == 0) {
                long fh = guest.open(entry.nodeid(), 0);
                assertEquals(i, guest.read(entry.nodeid(), fh, 0, 10).length);
                guest.release(entry.nodeid(), fh);
            }
            if (random.nextInt(16) == 0) {
                long fh = guest.opendir(Guest.ROOT);
                for (Direntplus listed : guest.readdirplus(Guest.ROOT, fh, 0, 4096)) {
                    guest.forget(listed.entry().nodeid(), listed.entry().nodeid() == 0 ? 0 : 1);
                }
                guest.release(Guest.ROOT, fh);
            }
            guest.forget(entry.nodeid(), 1);
        }
    }

    /// A guest that forgets and releases on one queue what it uses on another gets the right file
    /// or an error, never another file.
    ///
    /// Caught: a descriptor closed while a READ still goes through it; its number was given to
    /// another file in between.
    @ParameterizedTest
    @EnumSource
    void aDescriptorIsNotClosedUnderARequest(FileHandleUse use, @TempDir Path share) throws Exception {
        needs(use, share);
        for (int i = 0; i < FILES; i++) {
            Files.writeString(share.resolve("f" + i), "" + i);
        }
        try (Guest guest = new Guest(share, PassthroughOptions.DEFAULT.withFileHandles(use))) {
            long[] nodes = new long[FILES];
            long[] handles = new long[FILES];
            inThreads(seed -> {
                Random random = new Random(seed);
                for (int round = 0; round < ROUNDS; round++) {
                    int i = random.nextInt(FILES);
                    try {
                        switch (random.nextInt(4)) {
                            case 0 -> nodes[i] = guest.node("f" + i);
                            case 1 -> handles[i] = guest.open(nodes[i], 0);
                            case 2 -> guest.release(nodes[i], handles[i]);
                            default -> assertEquals("" + i, new String(guest.read(nodes[i], handles[i], 0, 9)));
                        }
                    } catch (ErrnoException e) {
                        assertTrue(List.of(Errno.EBADF, Errno.ESTALE).contains(e.errno()), e.getMessage());
                    }
                }
            });
        }
    }

    private interface Player {
        void play(int seed) throws Exception;
    }

    private static void inThreads(Player player) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    player.play(seed);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    private static void needs(FileHandleUse use, Path share) {
        Needs.root();
        Needs.that(
                use != FileHandleUse.MANDATORY || HostKernel.hasFileHandles(share),
                "needs a file system with file handles, such as ext4 or tmpfs, for java.io.tmpdir");
    }
}
