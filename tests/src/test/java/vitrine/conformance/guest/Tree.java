package vitrine.conformance.guest;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// All there is to see of a directory tree on the host, as text: names, types, modes, owners,
/// sizes, contents, link counts, extended attributes; of times those that somebody has set to the
/// past.
final class Tree {

    private static final FileTime PAST = FileTime.fromMillis(1_000_000_000_000L); // 2001

    private Tree() {}

    static String of(Syscalls sys, Path root) throws Exception {
        StringBuilder tree = new StringBuilder();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted().toList()) {
                tree.append(root.relativize(path)).append(": ").append(attributes(path));
                if (Files.isSymbolicLink(path)) {
                    tree.append(" -> ").append(Files.readSymbolicLink(path));
                } else if (Files.isRegularFile(path)) {
                    tree.append(" hash ").append(Arrays.hashCode(Files.readAllBytes(path)));
                }
                tree.append(xattrs(sys, path)).append('\n');
            }
        }
        return tree.toString();
    }

    private static String attributes(Path path) throws Exception {
        boolean directory = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        String names = "unix:mode,uid,gid,nlink,rdev,lastModifiedTime" + (directory ? "" : ",size");
        Map<String, Object> all = new TreeMap<>(Files.readAttributes(path, names, LinkOption.NOFOLLOW_LINKS));
        all.computeIfPresent("mode", (_, mode) -> Integer.toOctalString((int) mode));
        all.computeIfPresent("lastModifiedTime", (_, time) -> ((FileTime) time).compareTo(PAST) < 0 ? time : "now");
        return all.toString();
    }

    private static String xattrs(Syscalls sys, Path path) throws Exception {
        StringBuilder text = new StringBuilder();
        try (Arena arena = Arena.ofConfined();
                Fd file = sys.openPath(path.toString(), Fcntl.O_PATH | Fcntl.O_NOFOLLOW)) {
            MemorySegment memory = arena.allocate(1 << 16);
            Buffers room = Buffers.of(memory);
            for (Name name : sys.listxattr(file)) {
                byte[] value = room.slice(0, sys.getxattr(file, name, room)).toBytes();
                text.append(' ').append(name).append('=').append(Arrays.toString(value));
            }
        }
        return text.toString();
    }
}
