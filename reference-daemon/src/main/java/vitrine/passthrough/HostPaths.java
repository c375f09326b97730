package vitrine.passthrough;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import vitrine.passthrough.held.FileKey;
import vitrine.posix.DirectoryEntry;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// From a file to its path in the shared directory, and back: to find it again in another daemon.
///
/// A path is the names from the shared directory on, with slashes in between. On the way back each
/// is opened in the directory before it, without following symbolic links, so that no path leads
/// out.
final class HostPaths {

    private static final byte SLASH = '/';
    private static final byte[] DELETED = " (deleted)".getBytes(StandardCharsets.US_ASCII);
    private static final int LISTING = 32 * 1024;
    private static final int LONGEST = 4096; // bytes of a path, as elsewhere in Linux
    private static final int DEEPEST = 512; // directories: a loop of mounts would have no end

    private final Syscalls sys;
    private final Fd root;
    private final byte[] rootPath;

    /// @param root the shared directory; stays the caller's
    HostPaths(Syscalls sys, Fd root) throws ErrnoException {
        this.sys = sys;
        this.root = root;
        byte[] path = sys.pathOf(root);
        rootPath = path.length == 1 ? new byte[0] : path; // the sandbox's root has its slash already
    }

    /// What the host's kernel says of a file: the name by which it was found, as it is now.
    ///
    /// @return null if that is no path in the shared directory, or not any more
    byte[] told(Fd fd) throws ErrnoException {
        byte[] path = sys.pathOf(fd);
        int start = rootPath.length + 1;
        boolean inside = path.length > start && path[start - 1] == SLASH && startsWith(path, rootPath);
        return inside && !endsWith(path, DELETED) ? Arrays.copyOfRange(path, start, path.length) : null;
    }

    /// Whether a path leads to a file.
    boolean leadsTo(byte[] path, FileKey key) {
        try (Fd fd = open(path)) {
            return FileKey.of(sys.statx(fd, FileStatus.ALL)).equals(key);
        } catch (ErrnoException _) {
            return false;
        }
    }

    /// Opens what has this path, with `O_PATH`.
    ///
    /// @throws ErrnoException `EINVAL` if it is no path; what open(2) says if there is no such file
    Fd open(byte[] path) throws ErrnoException {
        Fd at = root;
        int start = 0;
        do {
            int end = start;
            while (end < path.length && path[end] != SLASH) {
                end++;
            }
            Fd next = openIn(at, Arrays.copyOfRange(path, start, end));
            if (at != root) {
                at.close();
            }
            at = next;
            start = end + 1;
        } while (start <= path.length);
        return at;
    }

    private Fd openIn(Fd directory, byte[] bytes) throws ErrnoException {
        try {
            Name name = Names.checked(Name.of(bytes));
            return sys.openat(directory, name, Fcntl.O_PATH | Fcntl.O_NOFOLLOW, 0);
        } catch (ErrnoException | IllegalArgumentException e) {
            if (directory != root) {
                directory.close();
            }
            throw e instanceof ErrnoException known ? known : new ErrnoException("a name", Errno.EINVAL);
        }
    }

    /// Looks through the whole shared directory for files that have names which nobody told: the
    /// one by which the guest found them is gone, and another one is left.
    Map<FileKey, byte[]> search(Set<FileKey> wanted) throws ErrnoException {
        Map<FileKey, byte[]> found = new HashMap<>();
        search(root, new byte[0], DEEPEST, new Search(wanted, found));
        return found;
    }

    private record Search(Set<FileKey> wanted, Map<FileKey, byte[]> found) {
        boolean isOver() {
            return found.size() == wanted.size();
        }
    }

    private void search(Fd directory, byte[] path, int deepest, Search search) throws ErrnoException {
        try (Arena arena = Arena.ofConfined();
                Fd open = sys.reopen(directory, Fcntl.O_RDONLY | Fcntl.O_DIRECTORY)) {
            MemorySegment entries = arena.allocate(LISTING, Long.BYTES);
            for (int end = sys.getdents64(open, entries); end > 0 && !search.isOver(); ) {
                for (int at = 0; at < end; ) {
                    DirectoryEntry entry = DirectoryEntry.read(entries, at);
                    at += entry.recordLength();
                    lookAt(open, entry.name(), path, deepest, search);
                }
                end = sys.getdents64(open, entries);
            }
        }
    }

    private void lookAt(Fd directory, Name name, byte[] path, int deepest, Search search) {
        if (Names.isSelf(name) || Names.isParent(name)) {
            return;
        }
        try (Fd fd = sys.openat(directory, name, Fcntl.O_PATH | Fcntl.O_NOFOLLOW, 0)) {
            FileStatus status = sys.statx(fd, FileStatus.ALL);
            byte[] own = path.length == 0 ? name.bytes() : joined(path, name.bytes());
            FileKey key = FileKey.of(status);
            if (search.wanted.contains(key) && own.length <= LONGEST) {
                search.found.putIfAbsent(key, own);
            }
            if (Stat.isDirectory(status.mode()) && deepest > 0) {
                search(fd, own, deepest - 1, search);
            }
        } catch (ErrnoException _) {
            // gone, or not to be looked into
        }
    }

    private static byte[] joined(byte[] directory, byte[] name) {
        byte[] path = Arrays.copyOf(directory, directory.length + 1 + name.length);
        path[directory.length] = SLASH;
        System.arraycopy(name, 0, path, directory.length + 1, name.length);
        return path;
    }

    private static boolean startsWith(byte[] bytes, byte[] start) {
        return Arrays.equals(bytes, 0, start.length, start, 0, start.length);
    }

    private static boolean endsWith(byte[] bytes, byte[] end) {
        int from = bytes.length - end.length;
        return from >= 0 && Arrays.equals(bytes, from, bytes.length, end, 0, end.length);
    }
}
