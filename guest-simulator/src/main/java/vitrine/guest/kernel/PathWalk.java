package vitrine.guest.kernel;

import static vitrine.posix.Errno.EEXIST;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.ELOOP;
import static vitrine.posix.Errno.ENAMETOOLONG;
import static vitrine.posix.Errno.ENOENT;
import static vitrine.posix.Errno.ENOTDIR;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.GetattrIn;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// From a path to inodes: one LOOKUP for each component, READLINK for each link on the way.
///
/// What is found on the way stays in use until the walk is closed, so that `..` can go back. With
/// nothing cached the root's attributes are asked for first, as Linux does when timeouts are 0.
final class PathWalk implements AutoCloseable {

    private static final int MOST_LINKS = 40; // Linux: MAXSYMLINKS
    private static final int LONGEST_PATH = 4096; // Linux: PATH_MAX, the NUL included

    private static final int ENTRY_OUT = (int) EntryOut.LAYOUT.byteSize();
    private static final int ATTR_OUT = (int) AttrOut.LAYOUT.byteSize();

    private final FuseClient client;
    private final InodeCache inodes;
    private final Task task;
    private final List<GuestInode> used = new ArrayList<>();
    private final List<GuestInode> way = new ArrayList<>(); // from the root to where we are
    private int links;

    /// The last component of a path, and the directory that it is in.
    record Last(GuestInode directory, String name, boolean mustBeDirectory) {}

    PathWalk(FuseClient client, InodeCache inodes, Task task) throws ErrnoException {
        this.client = client;
        this.inodes = inodes;
        this.task = task;
        GuestInode root = keep(inodes.root());
        root.refresh(getattr(client, task, root));
        way.add(root);
    }

    /// GETATTR by nodeid.
    static vitrine.fuse.struct.Attr getattr(FuseClient client, Task task, GuestInode inode) throws ErrnoException {
        var request = new InodeRequest.Getattr(client.header(task, inode.nodeid()), new GetattrIn(0, 0));
        return client.ask(request, ATTR_OUT, AttrOut::decode).attr();
    }

    /// The file that a path names.
    ///
    /// @param followLast whether a link in the last place is followed
    GuestInode find(String path, boolean followLast) throws ErrnoException {
        Deque<String> left = components(path);
        boolean directory = path.endsWith("/");
        walk(left, followLast || directory);
        if (directory) {
            requireDirectory(here());
        }
        return here();
    }

    /// The directory of a path's last component, which need not exist.
    Last last(String path) throws ErrnoException {
        Deque<String> left = components(path);
        if (left.isEmpty()) {
            throw new ErrnoException("no name in " + path, EEXIST);
        }
        String name = left.removeLast();
        walk(left, true);
        requireDirectory(here());
        Permission.require(task, here().attr(), Permission.EXECUTE);
        return new Last(here(), name, path.endsWith("/"));
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

    /// Goes on from a directory of this walk with the target of a link in it.
    GuestInode follow(GuestInode link) throws ErrnoException {
        Deque<String> left = new ArrayDeque<>();
        jump(link, left);
        walk(left, true);
        return here();
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
            requireDirectory(here());
            Permission.require(task, here().attr(), Permission.EXECUTE);
            if (name.equals("..")) {
                if (way.size() > 1) {
                    way.removeLast();
                }
                continue;
            }
            GuestInode next = lookup(here(), name);
            if (Stat.isSymlink(next.attr().mode()) && (followLast || !left.isEmpty())) {
                jump(next, left);
            } else {
                way.add(next);
            }
        }
    }

    private void jump(GuestInode link, Deque<String> left) throws ErrnoException {
        if (++links > MOST_LINKS) {
            throw new ErrnoException("too many links", ELOOP);
        }
        String target = readlink(client, task, link);
        if (target.startsWith("/")) {
            way.subList(1, way.size()).clear();
        }
        components(target).descendingIterator().forEachRemaining(left::addFirst);
    }

    /// READLINK.
    static String readlink(FuseClient client, Task task, GuestInode link) throws ErrnoException {
        var request = new InodeRequest.Readlink(client.header(task, link.nodeid()));
        return client.ask(request, LONGEST_PATH - 1, in -> Name.of(in.rest().toBytes())).toString();
    }

    private static Deque<String> components(String path) throws ErrnoException {
        if (path.isEmpty()) {
            throw new ErrnoException("empty path", ENOENT);
        }
        if (path.length() >= LONGEST_PATH) {
            throw new ErrnoException("path", ENAMETOOLONG);
        }
        if (path.indexOf('\0') >= 0) {
            throw new ErrnoException("NUL in path", EINVAL);
        }
        Deque<String> components = new ArrayDeque<>();
        for (String component : path.split("/")) {
            if (!component.isEmpty() && !component.equals(".")) {
                components.add(component);
            }
        }
        return components;
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
