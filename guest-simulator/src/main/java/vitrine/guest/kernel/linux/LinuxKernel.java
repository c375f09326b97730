package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EISDIR;
import static vitrine.posix.Errno.ENOSYS;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.Kstatfs;
import vitrine.fuse.struct.StatfsOut;
import vitrine.fuse.struct.Statx;
import vitrine.fuse.struct.SyncfsIn;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.driver.Transport;
import vitrine.guest.kernel.Completion;
import vitrine.guest.kernel.DaxPath;
import vitrine.guest.kernel.DirectoryEntry;
import vitrine.guest.kernel.FileMapping;
import vitrine.guest.kernel.GuestClock;
import vitrine.guest.kernel.GuestKernel;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.guest.kernel.OpenFile;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.Dentry;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.cache.Part;
import vitrine.guest.kernel.cache.Terms;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.dax.DaxMount;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.guest.kernel.rule.Flushing.Occasion;
import vitrine.posix.ErrnoException;
import vitrine.posix.RangeLock;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;

/// The guest's kernel: what Linux makes of a system call on a virtio-fs mount.
///
/// It remembers names, attributes and data for as long as the server allows, and asks again when it
/// has to. Each call goes to the class of its kind; the package comment has the map.
public final class LinuxKernel implements GuestKernel {

    private final FuseClient client;
    private final DaxMount dax;
    private final Terms terms;

    private Mount mount; // this and what follows: from mount on
    private Attributes attributes;
    private ExtendedAttributes xattrs;
    private WriteBack writeBack;
    private AttributeChange changes;
    private FileIo data;
    private Space space;
    private Mappings mappings;
    private FileLocks locks;
    private FileFlags fileFlags;
    private Opening opening;
    private Names names;
    private Namespace moves;
    private Listing listing;

    /// A kernel that will mount what is behind `transport`.
    ///
    /// @param profile which Linux it is: what it offers in INIT
    /// @param clock the guest's time
    /// @param dax the window, and what the mount does with it
    /// @param decisions hears of what it decides
    public LinuxKernel(
            Transport transport, KernelProfile profile, GuestClock clock, DaxMount dax, Decisions decisions) {
        this.dax = dax;
        client = new FuseClient(transport, dax.offer(profile), decisions);
        terms = new Terms(client, clock, decisions, new AtomicLong(), this::wash);
    }

    private void wash(GuestInode inode) throws ErrnoException {
        writeBack.flush(Task.root(0), inode, Occasion.DROP);
    }

    @Override
    public void mount() throws ErrnoException {
        dax.requireWindow();
        client.init();
        DaxPath window = dax.path(client, terms.decisions());
        mount = Mount.of(client, terms, window);
        attributes = new Attributes(mount);
        xattrs = new ExtendedAttributes(client, attributes);
        PageReads reads = new PageReads(mount, attributes);
        writeBack = new WriteBack(mount, reads);
        changes = new AttributeChange(mount, attributes, xattrs, writeBack);
        data = new FileIo(mount, window, attributes, changes, reads, writeBack);
        space = new Space(mount, attributes, changes, writeBack, data);
        locks = new FileLocks(client);
        fileFlags = new FileFlags(client);
        opening = new Opening(mount, attributes, changes, writeBack);
        mappings = new Mappings(mount, window, reads, writeBack, opening);
        names = new Names(mount, attributes);
        moves = new Namespace(mount, attributes);
        listing = new Listing(mount, attributes);
    }

    @Override
    public OpenFile open(Task task, String path, int flags, int mode) throws ErrnoException {
        return opening.open(task, path, flags, mode);
    }

    @Override
    public void close(Task task, OpenFile file) throws ErrnoException {
        try {
            opening.close(task, own(file));
        } finally {
            locks.closed(task, own(file));
            locks.released(own(file));
        }
    }

    @Override
    public byte[] pread(Task task, OpenFile file, long offset, int count, int place) throws ErrnoException {
        return data.read(task, own(file), offset, count, new Transfer(true, place))
                .await();
    }

    @Override
    public int pwrite(Task task, OpenFile file, long offset, byte[] bytes, int place) throws ErrnoException {
        return data.write(task, own(file), offset, bytes, new Transfer(true, place))
                .await();
    }

    @Override
    public Completion<byte[]> submitRead(Task task, OpenFile file, long offset, int count) throws ErrnoException {
        return data.read(task, own(file), offset, count, new Transfer(false, 0));
    }

    @Override
    public Completion<Integer> submitWrite(Task task, OpenFile file, long offset, byte[] bytes) throws ErrnoException {
        return data.write(task, own(file), offset, bytes, new Transfer(false, 0));
    }

    @Override
    public FileMapping mmap(Task task, OpenFile file, long offset, long length, FileMapping.Use use)
            throws ErrnoException {
        return mappings.map(own(file), offset, length, use);
    }

    @Override
    public byte[] load(Task task, FileMapping mapping, long at, int count) throws BusErrorException {
        return mappings.load(task, mapping, at, count);
    }

    @Override
    public void store(Task task, FileMapping mapping, long at, byte[] bytes) throws BusErrorException {
        mappings.store(task, mapping, at, bytes);
    }

    @Override
    public void msync(Task task, FileMapping mapping) throws ErrnoException {
        data.fsync(task, own(mapping.file()), true);
    }

    @Override
    public void munmap(Task task, FileMapping mapping) throws ErrnoException {
        mappings.unmap(task, mapping);
    }

    @Override
    public void flush(Task task, OpenFile file) throws ErrnoException {
        opening.flush(task, own(file));
        locks.closed(task, own(file));
    }

    @Override
    public void dropCaches() {
        client.settle(); // a file that is being released is in use
        mount.inodes().all().stream().filter(inode -> !inode.pages().isDirty()).forEach(GuestInode::dropPages);
        mount.names().shrink();
    }

    @Override
    public long seek(Task task, OpenFile file, long offset, int whence) throws ErrnoException {
        return space.seek(task, own(file), offset, whence);
    }

    @Override
    public void fallocate(Task task, OpenFile file, int mode, long offset, long length) throws ErrnoException {
        space.fallocate(task, own(file), mode, offset, length);
    }

    @Override
    public int poll(Task task, OpenFile file, int events) throws ErrnoException {
        return data.poll(task, own(file), events);
    }

    @Override
    public void fsync(Task task, OpenFile file, boolean dataOnly) throws ErrnoException {
        data.fsync(task, own(file), dataOnly);
    }

    @Override
    public long copyFileRange(Task task, OpenFile from, long fromOffset, OpenFile to, long toOffset, long length)
            throws ErrnoException {
        return space.copy(task, new Space.Place(own(from), fromOffset), new Space.Place(own(to), toOffset), length);
    }

    @Override
    public void lock(Task task, OpenFile file, RangeLock lock, boolean wait) throws ErrnoException {
        locks.set(task, own(file), lock, wait);
    }

    @Override
    public FileLock lockInTheWay(Task task, OpenFile file, RangeLock lock) throws ErrnoException {
        return locks.inTheWay(task, own(file), lock);
    }

    @Override
    public void flock(Task task, OpenFile file, int operation) throws ErrnoException {
        locks.flock(task, own(file), operation);
    }

    @Override
    public void ftruncate(Task task, OpenFile file, long size) throws ErrnoException {
        requireSize(size);
        if (!own(file).writable() || !Stat.isRegular(own(file).inode().attr().mode())) {
            throw new ErrnoException("ftruncate", EINVAL);
        }
        changes.truncate(task, own(file).inode(), own(file), size);
    }

    @Override
    public Attr fstat(Task task, OpenFile file) throws ErrnoException {
        // Linux sends no handle here.
        return attributes.fresh(task, own(file).inode(), null, Part.ALL);
    }

    @Override
    public List<DirectoryEntry> getdents(Task task, OpenFile directory) throws ErrnoException {
        return listing.next(task, own(directory));
    }

    @Override
    public List<DirectoryEntry> readDirectory(Task task, OpenFile directory) throws ErrnoException {
        return listing.all(task, own(directory));
    }

    @Override
    public Attr stat(Task task, String path, boolean followLink) throws ErrnoException {
        return onFile(task, path, followLink, inode -> attributes.fresh(task, inode, null, Part.ALL));
    }

    @Override
    public Statx statx(Task task, String path, boolean followLink) throws ErrnoException {
        return onFile(task, path, followLink, inode -> attributes.statx(task, inode));
    }

    @Override
    public int fileFlags(Task task, OpenFile file) throws ErrnoException {
        return fileFlags.get(task, own(file).inode());
    }

    @Override
    public void setFileFlags(Task task, OpenFile file, int flags) throws ErrnoException {
        fileFlags.set(task, own(file).inode(), flags);
    }

    @Override
    public Kstatfs statfs(Task task, String path) throws ErrnoException {
        return onFile(
                task,
                path,
                true,
                inode -> client.ask(
                                new InodeRequest.Statfs(client.header(task, inode.nodeid())),
                                (int) StatfsOut.LAYOUT.byteSize(),
                                StatfsOut::decode)
                        .st());
    }

    @Override
    public void truncate(Task task, String path, long size) throws ErrnoException {
        requireSize(size);
        onFile(task, path, true, inode -> {
            if (!Stat.isRegular(inode.attr().mode())) {
                throw new ErrnoException(
                        "truncate", Stat.isDirectory(inode.attr().mode()) ? EISDIR : EINVAL);
            }
            attributes.require(task, inode, Permission.WRITE);
            changes.truncate(task, inode, null, size);
            return null;
        });
    }

    @Override
    public void chmod(Task task, String path, int mode) throws ErrnoException {
        onName(task, path, true, dentry -> {
            changes.chmod(task, dentry, mode);
            return null;
        });
    }

    @Override
    public void chown(Task task, String path, int uid, int gid, boolean followLink) throws ErrnoException {
        onFile(task, path, followLink, inode -> {
            changes.chown(task, inode, uid, gid);
            return null;
        });
    }

    @Override
    public void utimens(Task task, String path, Timespec atime, Timespec mtime) throws ErrnoException {
        onFile(task, path, true, inode -> {
            changes.utimens(task, inode, atime, mtime);
            return null;
        });
    }

    @Override
    public void mkdir(Task task, String path, int mode) throws ErrnoException {
        names.mkdir(task, path, mode);
    }

    @Override
    public void mknod(Task task, String path, int mode, int rdev) throws ErrnoException {
        names.mknod(task, path, mode, rdev);
    }

    @Override
    public void symlink(Task task, String target, String path) throws ErrnoException {
        names.symlink(task, target, path);
    }

    @Override
    public String readlink(Task task, String path) throws ErrnoException {
        return onFile(task, path, false, inode -> {
            if (!Stat.isSymlink(inode.attr().mode())) {
                throw new ErrnoException("readlink", EINVAL);
            }
            return PathWalk.readlink(mount, task, inode);
        });
    }

    @Override
    public void link(Task task, String existing, String path) throws ErrnoException {
        onName(task, existing, false, dentry -> {
            names.link(task, dentry, path);
            return null;
        });
    }

    @Override
    public void link(Task task, OpenFile existing, String path) throws ErrnoException {
        names.link(task, own(existing).dentry(), path);
    }

    @Override
    public void unlink(Task task, String path) throws ErrnoException {
        moves.unlink(task, path);
    }

    @Override
    public void rmdir(Task task, String path) throws ErrnoException {
        moves.rmdir(task, path);
    }

    @Override
    public void rename(Task task, String from, String to, int flags) throws ErrnoException {
        moves.rename(task, from, to, flags);
    }

    @Override
    public byte[] getxattr(Task task, String path, String name) throws ErrnoException {
        ExtendedAttributes.requireName(name);
        return onFile(task, path, false, inode -> xattrs.get(task, inode, name));
    }

    @Override
    public byte[] getxattr(Task task, String path, String name, int room) throws ErrnoException {
        ExtendedAttributes.requireName(name);
        return onFile(task, path, false, inode -> xattrs.get(task, inode, name, room));
    }

    @Override
    public List<String> listxattr(Task task, String path, int room) throws ErrnoException {
        return onFile(task, path, false, inode -> xattrs.list(task, inode, room));
    }

    @Override
    public void setxattr(Task task, String path, String name, byte[] value, int flags) throws ErrnoException {
        ExtendedAttributes.requireArguments(name, value, flags);
        onFile(task, path, false, inode -> {
            xattrs.set(task, inode, name, value, flags);
            return null;
        });
    }

    @Override
    public List<String> listxattr(Task task, String path) throws ErrnoException {
        return onFile(task, path, false, inode -> xattrs.list(task, inode));
    }

    @Override
    public void removexattr(Task task, String path, String name) throws ErrnoException {
        ExtendedAttributes.requireName(name);
        onFile(task, path, false, inode -> {
            xattrs.remove(task, inode, name);
            return null;
        });
    }

    @Override
    public void sync(Task task) throws ErrnoException {
        writeBack.flushAll(task);
        if (!client.profile().has(Habit.SYNCFS)) {
            return;
        }
        for (long root : mount.names().mounts()) {
            try {
                client.ask(new InodeRequest.Syncfs(client.header(task, root), new SyncfsIn()));
            } catch (ErrnoException e) {
                if (e.errno() != ENOSYS) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() throws ErrnoException {
        mount.inodes().all().forEach(inode -> inode.pages().await());
        client.destroy();
    }

    /// How many files the kernel knows, the root among them.
    public int knownFiles() {
        return mount.inodes().size();
    }

    /// The lookups that the server has counted and has not been given back, by nodeid.
    public Map<Long, Long> lookups() {
        return mount.inodes().lookups();
    }

    private static LinuxFile own(OpenFile file) {
        return (LinuxFile) file; // there is no other kind
    }

    @FunctionalInterface
    private interface OnFile<T> {
        T apply(GuestInode inode) throws ErrnoException;
    }

    private <T> T onFile(Task task, String path, boolean followLink, OnFile<T> action) throws ErrnoException {
        return onName(task, path, followLink, dentry -> action.apply(dentry.inode()));
    }

    @FunctionalInterface
    private interface OnName<T> {
        T apply(Dentry dentry) throws ErrnoException;
    }

    private <T> T onName(Task task, String path, boolean followLink, OnName<T> action) throws ErrnoException {
        try (PathWalk walk = new PathWalk(mount, attributes, task)) {
            return action.apply(walk.find(path, followLink));
        }
    }

    private static void requireSize(long size) throws ErrnoException {
        if (size < 0) {
            throw new ErrnoException("truncate", EINVAL);
        }
    }
}
