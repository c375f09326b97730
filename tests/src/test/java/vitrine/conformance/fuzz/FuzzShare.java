package vitrine.conformance.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import vitrine.fuse.Opcode;
import vitrine.posix.Errno;

/// A share that looks the same for each input, and a secret beside it that no input may touch.
///
/// It lies in memory if the host has a place for that: it is made anew some thousand times a
/// second.
final class FuzzShare {

    private static final Path IN_MEMORY = Path.of("/dev/shm");

    /// What leaves the share as it was.
    private static final Set<Opcode> READS = Set.of(
            Opcode.LOOKUP,
            Opcode.FORGET,
            Opcode.GETATTR,
            Opcode.READLINK,
            Opcode.READ,
            Opcode.STATFS,
            Opcode.RELEASE,
            Opcode.FSYNC,
            Opcode.GETXATTR,
            Opcode.LISTXATTR,
            Opcode.FLUSH,
            Opcode.INIT,
            Opcode.OPENDIR,
            Opcode.READDIR,
            Opcode.RELEASEDIR,
            Opcode.FSYNCDIR,
            Opcode.DESTROY,
            Opcode.BATCH_FORGET,
            Opcode.READDIRPLUS,
            Opcode.LSEEK,
            Opcode.SYNCFS,
            Opcode.STATX);

    /// What is found out before anything is done.
    private static final Set<Integer> EARLY = Set.of(Errno.EINVAL, Errno.ESTALE, Errno.EBADF, Errno.ENOSYS, Errno.EIO);

    private final Path tree;
    private final Path share;
    private final Path outside;
    private final String secretBefore;
    private boolean changed = true;

    FuzzShare() throws IOException {
        tree = Files.isWritable(IN_MEMORY)
                ? Files.createTempDirectory(IN_MEMORY, "vitrine-fuzz-")
                : Files.createTempDirectory("vitrine-fuzz-");
        share = Files.createDirectory(tree.resolve("share"));
        outside = Files.createDirectory(tree.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        secretBefore = secret();
        Runtime.getRuntime().addShutdownHook(new Thread(this::remove));
        verifyAndRestore();
    }

    Path path() {
        return share;
    }

    /// Notes that a request was answered.
    ///
    /// @param opcode null if it has none that is known
    void mayHaveChanged(Opcode opcode, int errno) {
        changed |= opcode != null && !READS.contains(opcode) && !EARLY.contains(errno);
    }

    void verifyAndRestore() throws IOException {
        if (!secretBefore.equals(secret())) {
            throw new AssertionError("what lies outside of the share has changed: " + secret());
        }
        if (changed) {
            empty(share);
            Files.write(share.resolve("file"), new byte[1000]);
            Files.writeString(Files.createDirectory(share.resolve("dir")).resolve("inner"), "inner");
            Files.createSymbolicLink(share.resolve("link"), Path.of("../outside/secret"));
            changed = false;
        }
    }

    private String secret() throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path path : List.of(outside, outside.resolve("secret"), tree)) {
            Map<String, Object> attributes = Files.readAttributes(
                    path, "unix:mode,uid,gid,nlink,size,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
            all.append(path).append(attributes).append('\n');
        }
        return all.toString();
    }

    private void remove() {
        try {
            empty(tree);
            Files.delete(tree);
        } catch (IOException e) {
            System.err.println("left behind: " + e.getMessage());
        }
    }

    private static void empty(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(directory)) {
                    Files.delete(path);
                }
            }
        }
    }
}
