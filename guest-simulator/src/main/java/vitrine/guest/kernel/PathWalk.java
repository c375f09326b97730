package vitrine.guest.kernel;

import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.ELOOP;
import static vitrine.posix.Errno.ENAMETOOLONG;
import static vitrine.posix.Errno.ENOENT;
import static vitrine.posix.Errno.ENOTDIR;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.EntryOut;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.InodeCache;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// From a path to inodes: one LOOKUP for each component, READLINK for each link on the way.
///
/// `.` and `..` are the guest's own business and never sent. What is found on the way stays in use
/// until the walk is closed, so that `..` can go back. With nothing cached the root's attributes
/// are asked for first, as Linux does when timeouts are 0.
final class PathWalk implements AutoCloseable {

    private static final int MOST_LINKS = 40; // Linux: MAXSYMLINKS
    private static final int LONGEST_PATH = 4096; // Linux: PATH_MAX, the NUL included
    private static final int ENTRY_OUT = (int) EntryOut.LAYOUT.byteSize();

    /// A slash at the end of a path, which says that it leads to a directory.
    private static final String SLASH = "/";

    private final FuseClient client;
    private final InodeCache inodes;
    private final Task task;
    private final List<GuestInode> used = new ArrayList<>();
    private final List<GuestInode> way = new ArrayList<>(); // from the root to where we are
    private int links;

    /// The last component of a path, and the directory that it is in.
    ///
    /// @param name the component; empty if the path is the root
    /// @param slash whether a slash follows, so that it must be a directory
    record Last(GuestInode directory, String name, boolean slash) {

        /// Whether it names something in the directory: not `.`, `..` or the root.
        boolean isName() {
            return !name.isEmpty() && !name.equals(".") && !name.equals("..");
        }

        /// The component as requests have it.
        Name wireName() {
            return Name.of(name);
        }
    }

    PathWalk(FuseClient client, InodeCache inodes, Task task) throws ErrnoException {
        this.client = client;
        this.inodes = inodes;
        this.task = task;
        GuestInode root = keep(inodes.root());
        root.refresh(FileIo.getattr(client, task, root, null));
        way.add(root);
    }

    /// The file that a path names.
    ///
    /// @param followLast whether a link in the last place is followed
    GuestInode find(String path, boolean followLast) throws ErrnoException {
        walk(components(path), followLast);
        return here();
    }

    /// The directory of a path's last component, which need not exist.
    Last last(String path) throws ErrnoException {
        return last(components(path));
    }

    /// The same for what a link says that this walk has found in the last place.
    Last lastOf(GuestInode link) throws ErrnoException {
        return last(target(link));
    }

    private Last last(Deque<String> left) throws ErrnoException {
        boolean slash = SLASH.equals(left.peekLast());
        if (slash) {
            left.removeLast();
        }
        if (left.isEmpty()) {
            return new Last(here(), "", slash);
        }
        String name = left.removeLast();
        walk(left, true);
        requireSearchable(here());
        return new Last(here(), name, slash);
    }

    /// One name in a directory.
    ///
    /// @throws ErrnoException ENOENT if there is no such name
    GuestInode lookup(GuestInode directory, String name) throws ErrnoException {
        var request = new InodeRequest.Lookup(client.header(task, directory.nodeid()), Name.of(name));
        EntryOut entry = client.ask(request, ENTRY_OUT, EntryOut::decode);
        if (entry.nodeid() == 0) {
            throw new ErrnoException("LOOKUP", ENOENT); // a server's way to let us remember it
        }
        return keep(inodes.found(entry));
    }

    /// What is in the last place of a path, if anything is.
    Optional<GuestInode> lookup(Last last) throws ErrnoException {
        try {
            return Optional.of(lookup(last.directory(), last.name()));
        } catch (ErrnoException e) {
            if (e.errno() != ENOENT) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /// Whether the way from the root to where the walk ended leads through a directory, or ends in
    /// it.
    boolean leadsThrough(GuestInode directory) {
        return way.stream().anyMatch(inode -> inode.nodeid() == directory.nodeid());
    }

    /// What the walk has found stays in use even after it is closed.
    GuestInode keepInUse(GuestInode inode) {
        return inodes.use(inode);
    }

    /// Ends the use of all that was found on the way.
    @Override
    public void close() {
        used.forEach(inodes::release);
    }

    private void walk(Deque<String> left, boolean followLast) throws ErrnoException {
        while (!left.isEmpty()) {
            String name = left.removeFirst();
            if (name.equals(SLASH)) {
                requireDirectory(here());
                continue;
            }
            requireSearchable(here());
            if (name.equals("..")) {
                if (way.size() > 1) {
                    way.removeLast();
                }
            } else if (!name.equals(".")) {
                step(name, left, followLast);
            }
        }
    }

    private void step(String name, Deque<String> left, boolean followLast) throws ErrnoException {
        GuestInode next = lookup(here(), name);
        if (Stat.isSymlink(next.attr().mode()) && (followLast || !left.isEmpty())) {
            target(next).descendingIterator().forEachRemaining(left::addFirst);
        } else {
            way.add(next);
        }
    }

    /// What a link says; if it begins with a slash, the walk is at the root again.
    private Deque<String> target(GuestInode link) throws ErrnoException {
        if (++links > MOST_LINKS) {
            throw new ErrnoException("too many links", ELOOP);
        }
        String target = readlink(client, task, link);
        if (target.startsWith("/")) {
            way.subList(1, way.size()).clear();
        }
        return components(target);
    }

    /// READLINK.
    static String readlink(FuseClient client, Task task, GuestInode link) throws ErrnoException {
        var request = new InodeRequest.Readlink(client.header(task, link.nodeid()));
        return client.ask(request, LONGEST_PATH - 1, in -> Name.of(in.rest().toBytes()))
                .toString();
    }

    private static Deque<String> components(String path) throws ErrnoException {
        if (path.isEmpty()) {
            throw new ErrnoException("empty path", ENOENT);
        }
        if (path.getBytes(StandardCharsets.UTF_8).length >= LONGEST_PATH) {
            throw new ErrnoException("path", ENAMETOOLONG);
        }
        if (path.indexOf('\0') >= 0) {
            throw new ErrnoException("NUL in path", EINVAL);
        }
        Deque<String> components = new ArrayDeque<>();
        for (String component : path.split("/")) {
            if (!component.isEmpty()) {
                components.add(component);
            }
        }
        if (path.endsWith("/") && !components.isEmpty()) {
            components.add(SLASH);
        }
        return components;
    }

    private void requireSearchable(GuestInode directory) throws ErrnoException {
        requireDirectory(directory);
        Permission.require(task, directory.attr(), Permission.EXECUTE);
    }

    private static void requireDirectory(GuestInode inode) throws ErrnoException {
        if (!Stat.isDirectory(inode.attr().mode())) {
            throw new ErrnoException("path", ENOTDIR);
        }
    }

    private GuestInode here() {
        return way.getLast();
    }

    private GuestInode keep(GuestInode inode) {
        used.add(inode);
        return inode;
    }
}
