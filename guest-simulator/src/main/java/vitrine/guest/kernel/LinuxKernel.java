package vitrine.guest.kernel;

import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EISDIR;

import java.util.List;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.Kstatfs;
import vitrine.fuse.struct.StatfsOut;
import vitrine.fuse.struct.Statx;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.driver.Transport;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.InodeCache;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.dax.DaxMount;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.posix.ErrnoException;
import vitrine.posix.RangeLock;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;

/// The guest's kernel without any cache: every system call asks the server afresh, as Linux does
/// when all timeouts are 0 and files are opened for direct I/O.
///
/// Who may do what is decided here ([Permission]), and so is who kills set-ID bits ([KillPriv]);
/// opening, names, data, locks, attributes and extended attributes are sorted into [Opening],
/// [Namespace], [FileIo], [FileLocks], [AttributeChange] and [ExtendedAttributes]. Each call walks
/// its path ([PathWalk]). A reply to LOOKUP is believed until the call is over, where Linux would
/// ask once more by GETATTR. Write-back is there if it is agreed on ([WriteBack]).
public final class LinuxKernel implements GuestKernel {

    private final FuseClient client;
    private final ExtendedAttributes xattrs;
    private final AttributeChange attributes;
    private final FileLocks locks;
    private final FileFlags fileFlags;
    private final Births births;
    private final WriteBack writeBack;

    private final DaxMount dax;
    private final KillPriv killPriv;
    private final Decisions decisions;

    private InodeCache inodes; // from mount on
    private FileIo data;
    private Mappings mappings;
    private Opening opening;
    private Namespace names;

    /// A kernel that will mount what is behind `transport`.
    ///
    /// @param profile which Linux it is: what it offers in INIT
    /// @param clock the guest's time
    /// @param decisions hears of what it decides
    /// @param dax the window, and what the mount does with it
    public LinuxKernel(
            Transport transport, KernelProfile profile, GuestClock clock, DaxMount dax, Decisions decisions) {
        client = new FuseClient(transport, dax.offer(profile));
        this.dax = dax;
        this.decisions = decisions;
        xattrs = new ExtendedAttributes(client);
        writeBack = new WriteBack(client, clock);
        killPriv = new KillPriv(client, xattrs, decisions);
        attributes = new AttributeChange(client, killPriv, xattrs, writeBack);
        locks = new FileLocks(client);
        fileFlags = new FileFlags(client);
        births = new Births(client);
    }

    @Override
    public void mount() throws ErrnoException {
        client.init();
        Task kernel = Task.root(0);
        GuestInode root = new GuestInode(GuestInode.ROOT, null);
        DaxPath window = dax.path(client, decisions);
        inodes = new InodeCache(client, window, FileIo.getattr(client, kernel, root, null));
        opening = new Opening(client, inodes, attributes, writeBack);
        data = new FileIo(client, attributes, killPriv, new FileIo.Ways(writeBack, window), decisions);
        mappings = new Mappings(window, decisions);
        names = new Namespace(client, inodes);
    }

    @Override
    public OpenFile open(Task task, String path, int flags, int mode) throws ErrnoException {
        return opening.open(task, path, flags, mode);
    }

    @Override
    public void close(Task task, OpenFile file) throws ErrnoException {
        opening.close(task, own(file));
    }

    @Override
    public byte[] pread(Task task, OpenFile file, long offset, int count) throws ErrnoException {
        return data.read(task, own(file), offset, count);
    }

    @Override
    public int pwrite(Task task, OpenFile file, long offset, byte[] bytes) throws ErrnoException {
        return data.write(task, own(file), offset, bytes);
    }

    @Override
    public Completion<byte[]> submitRead(Task task, OpenFile file, long offset, int count) throws ErrnoException {
        return Completion.of(data.read(task, own(file), offset, count));
    }

    @Override
    public Completion<Integer> submitWrite(Task task, OpenFile file, long offset, byte[] bytes) throws ErrnoException {
        return Completion.of(data.write(task, own(file), offset, bytes));
    }

    @Override
    public long seek(Task task, OpenFile file, long offset, int whence) throws ErrnoException {
        return data.seek(task, own(file), offset, whence);
    }

    @Override
    public void fallocate(Task task, OpenFile file, int mode, long offset, long length) throws ErrnoException {
        data.fallocate(task, own(file), mode, offset, length);
    }

    @Override
    public void fsync(Task task, OpenFile file, boolean dataOnly) throws ErrnoException {
        data.fsync(task, own(file), dataOnly);
    }

    @Override
    public FileMapping mmap(Task task, OpenFile file, long offset, long length, boolean write) throws ErrnoException {
        return mappings.map(own(file), offset, length, write);
    }

    @Override
    public byte[] load(FileMapping mapping, long at, int count) throws BusErrorException {
        return mappings.load(mapping, at, count);
    }

    @Override
    public void store(FileMapping mapping, long at, byte[] bytes) throws BusErrorException {
        mappings.store(mapping, at, bytes);
    }

    @Override
    public void msync(Task task, FileMapping mapping) throws ErrnoException {
        data.fsync(task, own(mapping.file()), true);
    }

    @Override
    public void munmap(Task task, FileMapping mapping) throws ErrnoException {
        opening.letGo(own(mapping.file()));
    }

    @Override
    public long copyFileRange(Task task, OpenFile from, long fromOffset, OpenFile to, long toOffset, long length)
            throws ErrnoException {
        return data.copy(task, new FileIo.Place(own(from), fromOffset), new FileIo.Place(own(to), toOffset), length);
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
        attributes.truncate(task, own(file).inode(), own(file), size);
    }

    @Override
    public Attr fstat(Task task, OpenFile file) throws ErrnoException {
        own(file).inode().refresh(FileIo.getattr(client, task, own(file).inode(), null)); // Linux sends no handle here
        return own(file).inode().attr();
    }

    @Override
    public List<DirectoryEntry> readDirectory(Task task, OpenFile directory) throws ErrnoException {
        return names.readDirectory(task, own(directory));
    }

    @Override
    public Attr stat(Task task, String path, boolean followLink) throws ErrnoException {
        return onFile(task, path, followLink, GuestInode::attr);
    }

    @Override
    public Statx statx(Task task, String path, boolean followLink) throws ErrnoException {
        return onFile(task, path, followLink, inode -> births.statx(task, inode));
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
            Permission.require(task, inode.attr(), Permission.WRITE);
            attributes.truncate(task, inode, null, size);
            return null;
        });
    }

    @Override
    public void chmod(Task task, String path, int mode) throws ErrnoException {
        onFile(task, path, true, inode -> {
            attributes.chmod(task, inode, mode);
            return null;
        });
    }

    @Override
    public void chown(Task task, String path, int uid, int gid, boolean followLink) throws ErrnoException {
        onFile(task, path, followLink, inode -> {
            attributes.chown(task, inode, uid, gid);
            return null;
        });
    }

    @Override
    public void utimens(Task task, String path, Timespec atime, Timespec mtime) throws ErrnoException {
        onFile(task, path, true, inode -> {
            attributes.utimens(task, inode, atime, mtime);
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
            return PathWalk.readlink(client, task, inode);
        });
    }

    @Override
    public void link(Task task, String existing, String path) throws ErrnoException {
        names.link(task, existing, path);
    }

    @Override
    public void link(Task task, OpenFile existing, String path) throws ErrnoException {
        names.link(task, own(existing).inode(), path);
    }

    @Override
    public void unlink(Task task, String path) throws ErrnoException {
        names.unlink(task, path);
    }

    @Override
    public void rmdir(Task task, String path) throws ErrnoException {
        names.rmdir(task, path);
    }

    @Override
    public void rename(Task task, String from, String to, int flags) throws ErrnoException {
        names.rename(task, from, to, flags);
    }

    @Override
    public byte[] getxattr(Task task, String path, String name) throws ErrnoException {
        ExtendedAttributes.requireName(name);
        return onFile(task, path, false, inode -> xattrs.get(task, inode, name));
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
        data.sync(task);
    }

    @Override
    public void close() throws ErrnoException {
        client.destroy();
    }

    /// How many files the kernel knows, the root among them; 1 when nobody has a file open.
    public int knownFiles() {
        return inodes.size();
    }

    private static LinuxFile own(OpenFile file) {
        return (LinuxFile) file; // there is no other kind
    }

    @FunctionalInterface
    private interface OnFile<T> {
        T apply(GuestInode inode) throws ErrnoException;
    }

    private <T> T onFile(Task task, String path, boolean followLink, OnFile<T> action) throws ErrnoException {
        try (PathWalk walk = new PathWalk(client, inodes, task)) {
            return action.apply(walk.find(path, followLink));
        }
    }

    private static void requireSize(long size) throws ErrnoException {
        if (size < 0) {
            throw new ErrnoException("truncate", EINVAL);
        }
    }
}
