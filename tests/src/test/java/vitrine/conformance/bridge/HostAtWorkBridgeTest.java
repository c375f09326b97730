package vitrine.conformance.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Opcode;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// Somebody changes the shared directory while programs use the mount: they hear what they would
/// have heard on the shared directory itself.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class HostAtWorkBridgeTest extends MountedFolder {

    private static final Name NAME = Name.of("n");
    private static final int ROUNDS = 300;

    private volatile Consumer<FuseRequest> before = _ -> {};

    @BeforeEach
    void mount() throws Exception {
        mount(PassthroughOptions.DEFAULT, request -> before.accept(request), 1);
    }

    /// What a program does in a directory.
    private interface Deed {
        void in(Fd directory) throws ErrnoException;
    }

    /// mkdir(2), mknod(2), symlink(2) and open(2) with O_CREAT of a name that the host removes all
    /// the time: done, or it is still there.
    ///
    /// Seen to catch: ENOENT when what was made is gone.
    @Test
    void whatIsRemovedAtOnceWasMade() throws Exception {
        List<Deed> deeds = List.of(
                directory -> SYS.mkdirat(directory, NAME, 0755),
                directory -> SYS.mknodat(directory, NAME, Stat.S_IFIFO | 0644, 0),
                directory -> SYS.symlinkat(Name.of("anywhere"), directory, NAME),
                directory -> SYS.openat(directory, NAME, Fcntl.O_CREAT | Fcntl.O_WRONLY, 0644)
                        .close());
        AtomicBoolean over = new AtomicBoolean();
        Thread host = Thread.ofPlatform().start(() -> removeUntil(over));
        try (Fd directory = SYS.openPath(mountPoint.toString(), Fcntl.O_PATH)) {
            for (int round = 0; round < ROUNDS; round++) {
                for (Deed deed : deeds) {
                    assertTrue(Set.of(0, Errno.EEXIST).contains(errnoOf(deed, directory)));
                    while (Files.exists(share.resolve("n"), LinkOption.NOFOLLOW_LINKS)) {
                        Thread.onSpinWait();
                    }
                }
            }
        } finally {
            over.set(true);
            host.join();
        }
    }

    private void removeUntil(AtomicBoolean over) {
        while (!over.get()) {
            try {
                Files.deleteIfExists(share.resolve("n"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static int errnoOf(Deed deed, Fd directory) {
        try {
            deed.in(directory);
            return 0;
        } catch (ErrnoException e) {
            return e.errno();
        }
    }

    /// A symbolic link appears when the program's kernel has just heard that there is no such name:
    /// open(2) with O_CREAT follows it.
    ///
    /// Seen to catch: EBADF for CREATE of what is no regular file.
    @Test
    void aLinkThatAppearsIsFollowed() throws Exception {
        Files.writeString(share.resolve("target"), "old");
        before = request -> {
            if (request.opcode() == Opcode.CREATE) {
                link();
            }
        };

        try (Fd directory = SYS.openPath(mountPoint.toString(), Fcntl.O_PATH);
                Fd opened = SYS.openat(directory, NAME, Fcntl.O_CREAT | Fcntl.O_RDONLY, 0644)) {
            assertEquals("old", Files.readString(Path.of("/proc/self/fd/" + opened.number())));
        }
    }

    private void link() {
        try {
            Files.createSymbolicLink(share.resolve("n"), Path.of("target"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A directory that is open and gone ends, as readdir(3) has it.
    ///
    /// Seen to catch: ESTALE for READDIR.
    @Test
    void aRemovedDirectoryIsAtItsEnd() throws Exception {
        Files.createDirectory(share.resolve("n"));
        try (Fd open = SYS.openPath(mountPoint.resolve("n").toString(), Fcntl.O_RDONLY | Fcntl.O_DIRECTORY);
                Fd onHost = SYS.openPath(share.resolve("n").toString(), Fcntl.O_RDONLY | Fcntl.O_DIRECTORY)) {
            Files.delete(share.resolve("n"));
            MemorySegment room = Arena.ofAuto().allocate(4096);

            int expected = errnoOf(directory -> SYS.getdents64(directory, room), onHost);
            assertEquals(expected, errnoOf(directory -> SYS.getdents64(directory, room), open));
        }
    }
}
