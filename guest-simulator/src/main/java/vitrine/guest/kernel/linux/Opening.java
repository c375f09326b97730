package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EEXIST;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EISDIR;
import static vitrine.posix.Errno.ELOOP;
import static vitrine.posix.Errno.ENOSYS;
import static vitrine.posix.Errno.ENOTDIR;
import static vitrine.posix.Errno.ENXIO;
import static vitrine.posix.Fcntl.O_ACCMODE;
import static vitrine.posix.Fcntl.O_CREAT;
import static vitrine.posix.Fcntl.O_DIRECTORY;
import static vitrine.posix.Fcntl.O_EXCL;
import static vitrine.posix.Fcntl.O_LARGEFILE;
import static vitrine.posix.Fcntl.O_NOCTTY;
import static vitrine.posix.Fcntl.O_NOFOLLOW;
import static vitrine.posix.Fcntl.O_RDONLY;
import static vitrine.posix.Fcntl.O_TMPFILE;
import static vitrine.posix.Fcntl.O_TRUNC;
import static vitrine.posix.Fcntl.O_WRONLY;

import java.util.Optional;
import java.util.Set;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Opcode;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.FopenFlag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.OpenFlag;
import vitrine.fuse.flag.ReleaseFlag;
import vitrine.fuse.struct.FlushIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.guest.kernel.Capability;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.Dentry;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.cache.Part;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.Flushing.Occasion;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;

/// open(2) and close(2): OPEN or CREATE, then FLUSH and RELEASE.
///
/// Which of OPEN and CREATE is sent is decided by a LOOKUP. If another guest is faster, CREATE
/// finds the file there, and the server has to cope.
final class Opening {

    private static final int OPEN_OUT = (int) OpenOut.LAYOUT.byteSize();

    private final Mount mount;
    private final FuseClient client;
    private final Attributes attributes;
    private final AttributeChange changes;
    private final WriteBack writeBack;
    private final Creation creation;

    Opening(Mount mount, Attributes attributes, AttributeChange changes, WriteBack writeBack) {
        this.mount = mount;
        this.client = mount.client();
        this.attributes = attributes;
        this.changes = changes;
        this.writeBack = writeBack;
        this.creation = new Creation(mount, attributes, this);
    }

    LinuxFile open(Task task, String path, int flags, int mode) throws ErrnoException {
        if ((flags & O_CREAT) != 0 && (flags & O_DIRECTORY) != 0) {
            throw new ErrnoException("open with O_CREAT and O_DIRECTORY", EINVAL);
        }
        try (PathWalk walk = new PathWalk(mount, attributes, task)) {
            if ((flags & O_TMPFILE) == O_TMPFILE) {
                return creation.tmpfile(task, walk.findMounted(path, true), flags, mode);
            }
            return (flags & O_CREAT) != 0
                    ? openOrCreate(task, walk, walk.last(path), flags, mode)
                    : openExisting(task, walk.findMounted(path, (flags & O_NOFOLLOW) == 0), flags);
        }
    }

    private LinuxFile openOrCreate(Task task, PathWalk walk, PathWalk.Last place, int flags, int mode)
            throws ErrnoException {
        boolean exclusive = (flags & O_EXCL) != 0;
        PathWalk.Last last = place;
        while (true) {
            if (!last.isName()) {
                throw new ErrnoException("open", exclusive ? EEXIST : EISDIR);
            }
            if (last.slash()) {
                throw new ErrnoException("open", EISDIR);
            }
            Dentry existing;
            last.inode().lock().lock();
            try {
                Optional<Dentry> found = walk.lookup(last, exclusive);
                if (found.isEmpty()) {
                    return creation.create(task, last, flags, mode);
                }
                existing = found.get();
            } finally {
                last.inode().lock().unlock();
            }
            if (exclusive) {
                throw new ErrnoException("open", EEXIST);
            }
            if ((flags & O_NOFOLLOW) != 0
                    || !Stat.isSymlink(existing.inode().attr().mode())) {
                return openExisting(task, existing, flags);
            }
            last = walk.lastOf(existing.inode()); // what a link says may be what has to be created
        }
    }

    private LinuxFile openExisting(Task task, Dentry dentry, int flags) throws ErrnoException {
        GuestInode inode = dentry.inode();
        requireOpenable(task, inode, flags);
        boolean truncate = (flags & O_TRUNC) != 0;
        boolean atomic = truncate && client.has(InitFlag.ATOMIC_O_TRUNC);
        LinuxFile file = ask(task, dentry, flags, atomic);
        try {
            settle(file, atomic);
            if (truncate) {
                changes.truncateByOpen(task, file, atomic);
            }
        } catch (ErrnoException e) {
            release(file);
            throw e;
        }
        return file;
    }

    /// OPEN or OPENDIR; the name is used once more.
    LinuxFile ask(Task task, Dentry dentry, int flags, boolean atomic) throws ErrnoException {
        boolean directory = Stat.isDirectory(dentry.inode().attr().mode());
        int sent = (flags & ~(O_CREAT | O_EXCL | O_NOCTTY) & ~(atomic ? 0 : O_TRUNC)) | O_LARGEFILE;
        OpenIn in = new OpenIn(sent, openFlags(task, sent));
        InHeader header = client.header(task, dentry.inode().nodeid());
        FuseRequest request = directory ? new DirectoryRequest.Opendir(header, in) : new FileRequest.Open(header, in);
        try {
            OpenOut out = client.ask(request, OPEN_OUT, OpenOut::decode);
            return new LinuxFile(mount.names().use(dentry), out.fh(), flags, out.openFlags());
        } catch (ErrnoException e) {
            if (e.errno() != ENOSYS) {
                throw e;
            }
            // A server without handles: what it has is always open, and kept until it is outdated.
            int kept = Flag.word32(FopenFlag.KEEP_CACHE) | (directory ? Flag.word32(FopenFlag.CACHE_DIR) : 0);
            return LinuxFile.withoutHandle(mount.names().use(dentry), flags, kept);
        }
    }

    /// What becomes of the pages that are there already.
    void settle(LinuxFile file, boolean truncated) {
        GuestInode inode = file.inode();
        if (file.writable() && inode.isRegular()) {
            inode.addWriter(file);
        }
        if (truncated) {
            inode.emptied(mount.terms().clock().now());
        } else if (!file.has(FopenFlag.KEEP_CACHE)) {
            inode.dropPages();
            inode.listing().drop();
        }
    }

    /// With V2 the truncation within OPEN carries the order to kill.
    int openFlags(Task task, int sent) {
        boolean kill = (sent & O_TRUNC) != 0
                && (sent & O_EXCL) == 0
                && client.has(InitFlag.HANDLE_KILLPRIV_V2)
                && !task.can(Capability.FSETID);
        return kill ? Flag.word32(OpenFlag.KILL_SUIDGID) : 0;
    }

    /// `do_open` and `may_open` in Linux.
    private void requireOpenable(Task task, GuestInode inode, int flags) throws ErrnoException {
        int mode = inode.attr().mode();
        boolean reads = (flags & O_ACCMODE) != O_WRONLY;
        boolean writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0;
        if (Stat.isSymlink(mode)) {
            throw new ErrnoException("open", (flags & O_DIRECTORY) != 0 ? ENOTDIR : ELOOP);
        }
        if (Stat.isDirectory(mode) && (writes || (flags & O_CREAT) != 0)) {
            throw new ErrnoException("open", EISDIR);
        }
        if (!Stat.isDirectory(mode) && (flags & O_DIRECTORY) != 0) {
            throw new ErrnoException("open", ENOTDIR);
        }
        attributes.require(task, inode, (reads ? Permission.READ : 0) | (writes ? Permission.WRITE : 0));
        if (!Stat.isDirectory(mode) && !Stat.isRegular(mode)) {
            throw new ErrnoException("open: FIFOs, sockets and devices are not modelled", ENXIO);
        }
    }

    /// What each close(2) does, whatever other descriptors there are of the same open file.
    void flush(Task task, LinuxFile file) throws ErrnoException {
        if (file.isDirectory()) {
            return;
        }
        writeBack.flush(task, file.inode(), Occasion.CLOSE);
        boolean skipped = file.has(FopenFlag.NOFLUSH) && !mount.terms().writeBack() || client.lacks(Opcode.FLUSH);
        if (!skipped) {
            FlushIn in = new FlushIn(file.fh(), FileLocks.owner(task));
            try {
                client.ask(new FileRequest.Flush(client.header(task, file.nodeid()), in));
            } catch (ErrnoException e) {
                if (e.errno() != ENOSYS) {
                    throw e; // it is the error of close(2)
                }
            }
        }
        if (mount.terms().writeBack()) {
            file.inode().changed(Set.of(Part.BLOCKS));
        }
    }

    /// close(2) of the last descriptor.
    void close(Task task, LinuxFile file) throws ErrnoException {
        try {
            flush(task, file);
        } finally {
            letGo(file);
        }
    }

    /// The end of one of those who have it: RELEASE, if it was the last.
    void letGo(LinuxFile file) {
        if (file.letGo()) {
            release(file);
        }
    }

    /// A READ that is under way has the file open, too.
    private void release(LinuxFile file) {
        file.inode().pages().await();
        file.inode().removeWriter(file);
        InHeader header = client.kernelHeader(file.nodeid());
        ReleaseIn in = file.flocked()
                ? new ReleaseIn(file.fh(), file.flags(), (int) ReleaseFlag.FLOCK_UNLOCK.bit(), file.fh())
                : new ReleaseIn(file.fh(), file.flags(), 0, 0);
        FuseRequest request =
                file.isDirectory() ? new DirectoryRequest.Releasedir(header, in) : new FileRequest.Release(header, in);
        try {
            if (client.profile().has(Habit.RELEASE_IN_BACKGROUND) && !file.isWithoutHandle()) {
                client.send(request);
            } else if (!file.isWithoutHandle()) {
                client.ask(request); // and what comes of it is nobody's business
            }
        } catch (ErrnoException _) {
            // a RELEASE cannot fail: the file is closed
        } finally {
            mount.names().release(file.dentry());
        }
    }
}
