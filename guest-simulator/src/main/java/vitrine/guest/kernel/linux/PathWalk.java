package vitrine.guest.kernel.linux;

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
import vitrine.fuse.flag.AttrFlag;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.Dentry;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.Part;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// From a path to a name and its file: as many LOOKUPs as there are components that are not known
/// well enough, and a READLINK for each link on the way.
///
/// `.` and `..` are the guest's own business and never sent. What is found on the way stays in use
/// until the walk is closed, so that `..` can go back.
final class PathWalk implements AutoCloseable {

    private static final int MOST_LINKS = 40; // Linux: MAXSYMLINKS
    private static final int LONGEST_PATH = 4096; // Linux: PATH_MAX, the NUL included

    /// A slash at the end of a path, which says that it leads to a directory.
    private static final String SLASH = "/";

    private final Mount mount;
    private final Attributes attributes;
    private final NameLookup lookup;
    private final Task task;
    private final List<Dentry> used = new ArrayList<>();
    private final List<Dentry> way = new ArrayList<>(); // from the root to where we are
    private int links;

    /// The last component of a path, and the directory that it is in.
    ///
    /// @param name the component; empty if the path is the root
    /// @param slash whether a slash follows, so that it must be a directory
    record Last(Dentry directory, String name, boolean slash) {

        /// Whether it names something in the directory: not `.`, `..` or the root.
        boolean isName() {
            return !name.isEmpty() && !name.equals(".") && !name.equals("..");
        }

        /// The component as requests have it.
        Name wireName() {
            return Name.of(name);
        }

        /// The directory.
        GuestInode inode() {
            return directory.inode();
        }
    }

    PathWalk(Mount mount, Attributes attributes, Task task) {
        this.mount = mount;
        this.attributes = attributes;
        this.lookup = new NameLookup(mount);
        this.task = task;
        way.add(keep(mount.names().root()));
    }

    /// What a path names.
    ///
    /// @param followLast whether a link in the last place is followed
    Dentry find(String path, boolean followLast) throws ErrnoException {
        walk(components(path), followLast);
        return here();
    }

    /// The same, and if it is the mount point of a submount, what is mounted there.
    Dentry findMounted(String path, boolean followLast) throws ErrnoException {
        find(path, followLast);
        enterSubmount();
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
        enterSubmount();
        return new Last(here(), name, slash);
    }

    /// One name in a directory.
    ///
    /// @param demanded whether the server is asked whatever is known
    /// @throws ErrnoException ENOENT if there is no such name
    Dentry lookup(Dentry directory, String name, boolean demanded) throws ErrnoException {
        Dentry found = keep(lookup.find(task, directory, name, demanded));
        if (found.isNegative()) {
            throw new ErrnoException("LOOKUP", ENOENT);
        }
        return found;
    }

    /// What is in the last place of a path, if anything is.
    ///
    /// @param demanded whether the server is asked whatever is known
    Optional<Dentry> lookup(Last last, boolean demanded) throws ErrnoException {
        try {
            return Optional.of(lookup(last.directory(), last.name(), demanded));
        } catch (ErrnoException e) {
            if (e.errno() != ENOENT) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /// Whether the way from the root to where the walk ended leads through a directory, or ends in
    /// it.
    boolean leadsThrough(GuestInode inode) {
        return way.stream().anyMatch(dentry -> dentry.inode() == inode);
    }

    @Override
    public void close() {
        used.reversed().forEach(mount.names()::release);
    }

    private void walk(Deque<String> left, boolean followLast) throws ErrnoException {
        while (!left.isEmpty()) {
            String name = left.removeFirst();
            if (name.equals(SLASH)) {
                requireDirectory(here().inode());
                continue;
            }
            requireSearchable(here());
            enterSubmount();
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
        Dentry next = lookup(here(), name, false);
        if (Stat.isSymlink(next.inode().attr().mode()) && (followLast || !left.isEmpty())) {
            target(next.inode()).descendingIterator().forEachRemaining(left::addFirst);
        } else {
            way.add(next);
        }
    }

    /// A walk that goes on behind a mount point goes on in what is mounted there.
    private void enterSubmount() throws ErrnoException {
        Dentry at = here();
        if (AttrFlag.SUBMOUNT.in(at.inode().attr().flags())
                && at.inode() != mount.inodes().root()
                && !at.isMountRoot()) {
            way.removeLast();
            way.add(keep(mount.names().submount(at)));
            requireSearchable(here());
        }
    }

    /// What a link says; if it begins with a slash, the walk is at the root again.
    private Deque<String> target(GuestInode link) throws ErrnoException {
        if (++links > MOST_LINKS) {
            throw new ErrnoException("too many links", ELOOP);
        }
        String target = readlink(mount, task, link);
        if (target.startsWith("/")) {
            way.subList(1, way.size()).clear();
        }
        return components(target);
    }

    /// READLINK, each time unless CACHE_SYMLINKS was agreed on.
    static String readlink(Mount mount, Task task, GuestInode link) throws ErrnoException {
        if (link.target() != null) {
            return link.target();
        }
        var request = new InodeRequest.Readlink(mount.client().header(task, link.nodeid()));
        String target = mount.client()
                .ask(request, LONGEST_PATH - 1, in -> Name.of(in.rest().toBytes()))
                .toString();
        link.changed(java.util.Set.of(Part.ACCESS_TIME));
        if (mount.client().has(InitFlag.CACHE_SYMLINKS) && !mount.terms().noMemory()) {
            link.target(target);
        }
        return target;
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

    private void requireSearchable(Dentry directory) throws ErrnoException {
        requireDirectory(directory.inode());
        attributes.require(task, directory.inode(), Permission.EXECUTE);
    }

    private static void requireDirectory(GuestInode inode) throws ErrnoException {
        if (!Stat.isDirectory(inode.attr().mode())) {
            throw new ErrnoException("path", ENOTDIR);
        }
    }

    private Dentry here() {
        return way.getLast();
    }

    private Dentry keep(Dentry dentry) {
        used.add(dentry);
        return dentry;
    }
}
