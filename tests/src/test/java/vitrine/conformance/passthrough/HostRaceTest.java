package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.struct.Direntplus;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// The host changes the share under the guest's hands: a program renames, replaces, truncates,
/// makes symbolic links of files and directories, moves a directory out of the share and back, and
/// makes it anew, while the guest looks up, opens, reads, writes, lists and makes files.
///
/// Each file of the share says which one it is, and goes on saying so whatever it is called. What
/// lies outside says "secret".
class HostRaceTest {

    private static final int ROUNDS = 3000;
    private static final String SECRET = "secret";
    private static final List<String> NAMES = List.of("f", "g", "h");

    // A name may be gone, or another type of file by now. That a nodeid's file is gone is ESTALE.
    private static final List<Integer> BY_NAME = List.of(Errno.ENOENT, Errno.ENOTDIR, Errno.ESTALE);
    private static final List<Integer> BY_NODEID = List.of(Errno.ESTALE, Errno.EBADF, Errno.ENOTDIR);

    @TempDir
    private Path folder;

    private Path share;
    private Path outside;
    private int lastTag;

    /// Never outside the share, never another file than the nodeid's, no ENOENT for what has no
    /// name, no listing that fails, and a name that is only ever replaced is always there
    /// (libfuse #636, kata-containers #13329).
    ///
    /// Seen to catch: LOOKUP without O_NOFOLLOW; a listing that fails with a name that has gone; a
    /// directory's handle that is tried only once; ENOENT for CREATE in a directory that is gone.
    @ParameterizedTest
    @EnumSource
    void theGuestGetsTheRightFileOrAnError(FileHandleUse use) throws Exception {
        Needs.root();
        prepare();
        AtomicBoolean over = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread host = Thread.ofPlatform().start(() -> race(over, failure));
        try (Guest guest = new Guest(share, PassthroughOptions.DEFAULT.withFileHandles(use))) {
            Random random = new Random(1);
            for (int round = 0; round < ROUNDS; round++) {
                replacedNamesAreAlwaysThere(guest, use);
                useAFile(guest, random);
            }
        } finally {
            over.set(true);
            host.join();
        }
        assertNull(failure.get());
        assertEquals(SECRET, Files.readString(outside.resolve("f")));
        try (Stream<Path> left = Files.list(outside)) {
            assertEquals(
                    List.of("f"),
                    left.map(path -> path.getFileName().toString()).toList());
        }
    }

    private void prepare() throws Exception {
        share = Files.createDirectory(folder.resolve("share"));
        outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("f"), SECRET);
        Files.createDirectory(share.resolve("d"));
        Files.writeString(share.resolve("always"), tag());
    }

    // ---- the guest

    /// As Linux opens a path: what is ESTALE was replaced after it was looked up, and is looked up
    /// once more. With a descriptor for each nodeid the old file can still be opened.
    private static void replacedNamesAreAlwaysThere(Guest guest, FileHandleUse use) throws Exception {
        while (true) {
            long nodeid = guest.node("always");
            try {
                long fh = guest.open(nodeid, Fcntl.O_RDONLY);
                assertTrue(text(guest, nodeid, fh).startsWith("file "));
                guest.release(nodeid, fh);
                return;
            } catch (ErrnoException e) {
                assertTrue(use == FileHandleUse.MANDATORY && e.errno() == Errno.ESTALE, e.getMessage());
            } finally {
                guest.forget(nodeid, 1);
            }
        }
    }

    private static void useAFile(Guest guest, Random random) throws Exception {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        long directory = node(guest, Guest.ROOT, "d");
        if (directory == 0) {
            return;
        }
        list(guest, directory);
        long nodeid = node(guest, directory, name);
        if (nodeid != 0) {
            byNodeid(() -> readTwice(guest, nodeid));
            byNodeid(() -> guest.getattr(nodeid));
            guest.forget(nodeid, 1);
        }
        byNodeid(() -> makeAndRemove(guest, directory));
        guest.forget(directory, 1);
    }

    private static long node(Guest guest, long directory, String name) throws Exception {
        long[] nodeid = {0};
        byName(() -> nodeid[0] = guest.lookup(directory, name).nodeid());
        return nodeid[0];
    }

    private static void list(Guest guest, long directory) throws Exception {
        byName(
                () -> { // ENOENT: the directory itself
                    long fh = guest.opendir(directory);
                    for (Direntplus listed : guest.readdirplus(directory, fh, 0, 4096)) {
                        guest.forget(listed.entry().nodeid(), listed.entry().nodeid() == 0 ? 0 : 1);
                    }
                    guest.release(directory, fh);
                });
    }

    /// Whatever happens to its name meanwhile, both times it is the same file.
    private static void readTwice(Guest guest, long nodeid) throws Exception {
        long first = guest.open(nodeid, Fcntl.O_RDONLY);
        String one = text(guest, nodeid, first);
        guest.release(nodeid, first);
        long second = guest.open(nodeid, Fcntl.O_RDWR);
        String other = text(guest, nodeid, second);
        guest.write(nodeid, second, 100, "x"); // behind the end of any tag
        guest.release(nodeid, second);
        assertTrue(one.isEmpty() || other.isEmpty() || one.equals(other), one + " has become " + other);
    }

    private static String text(Guest guest, long nodeid, long fh) throws Exception {
        String text = new String(guest.read(nodeid, fh, 0, 20), StandardCharsets.US_ASCII).replace("\0", "");
        assertTrue(text.isEmpty() || text.startsWith("file "), text); // empty: just truncated
        return text;
    }

    private static void makeAndRemove(Guest guest, long directory) throws Exception {
        Guest.Created made = guest.create(directory, "mine", Fcntl.O_CREAT | Fcntl.O_RDWR, 0600, 0);
        long nodeid = made.entry().nodeid();
        guest.release(nodeid, made.open().fh());
        guest.forget(nodeid, 1);
        byName(() -> guest.unlink(directory, "mine"));
    }

    private interface Deed {
        void run() throws Exception;
    }

    private static void byName(Deed deed) throws Exception {
        allowing(BY_NAME, deed);
    }

    private static void byNodeid(Deed deed) throws Exception {
        allowing(BY_NODEID, deed);
    }

    private static void allowing(List<Integer> errnos, Deed deed) throws Exception {
        try {
            deed.run();
        } catch (ErrnoException e) {
            assertTrue(errnos.contains(e.errno()), e.getMessage());
        }
    }

    // ---- the host

    private void race(AtomicBoolean over, AtomicReference<Throwable> failure) {
        Random random = new Random(2);
        try {
            while (!over.get()) {
                meddle(random);
            }
        } catch (Throwable e) {
            failure.set(e);
        }
    }

    private void meddle(Random random) throws Exception {
        Path directory = share.resolve("d");
        Path file = directory.resolve(NAMES.get(random.nextInt(NAMES.size())));
        Path away = folder.resolve("away");
        switch (random.nextInt(7)) {
            case 0 -> replace(share.resolve("always"));
            case 1 -> replace(file);
            case 2 -> Files.deleteIfExists(file);
            case 3 -> {
                Files.deleteIfExists(file);
                Files.createSymbolicLink(file, outside.resolve("f"));
            }
            case 4 -> {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.writeString(file, Files.readString(file).substring(0, 0)); // the same file, empty
                }
            }
            case 5 -> {
                Files.move(directory, away);
                Files.createDirectory(directory);
                remove(away);
            }
            default -> { // the directory leaves the share, and a link to another has its name
                Files.move(directory, away);
                Files.createSymbolicLink(directory, outside);
                Files.delete(directory);
                Files.move(away, directory);
            }
        }
    }

    /// The guest may still make a file in it.
    private static void remove(Path directory) throws Exception {
        while (Files.exists(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.deleteIfExists(file);
                }
                Files.delete(directory);
            } catch (DirectoryNotEmptyException _) {
                continue; // it has made one
            }
        }
    }

    private void replace(Path file) throws Exception {
        Path temporary = Files.writeString(share.resolve("temporary"), tag());
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private String tag() {
        return "file " + ++lastTag + ".";
    }
}
