package vitrine.passthrough;

import java.io.IOException;
import vitrine.dax.Window;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.LockRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.InitOut;
import vitrine.migration.CannotMoveException;
import vitrine.migration.Movable;
import vitrine.migration.StateReader;
import vitrine.migration.StateRecord;
import vitrine.migration.StateWriter;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.wire.MalformedException;
import vitrine.wire.WireStruct;

/// A directory of the host as a file system of the guest.
///
/// Several queues ask at once, each from a platform thread of its own. Safe for that: what the
/// guest holds is in two concurrent tables, and identity belongs to the thread.
public final class PassthroughFs implements FileSystem, Movable, AutoCloseable {

    private final Share share;
    private final InodeOperations inodes;
    private final DirectoryOperations directories;
    private final OpenOperations opens;
    private final FileOperations files;
    private final IoctlOperations ioctls;
    private final XattrOperations xattrs;
    private final LockOperations locks;
    private final DaxOperations dax;
    private final StaleNodes stale;
    private final boolean readOnly;

    /// Shares a directory of the host.
    ///
    /// Sets the umask of the whole process to 0 until [#close], see [Umask].
    ///
    /// @param directory its path on the host, resolved now and never again
    /// @throws ErrnoException if it cannot be opened, `ENOTDIR` if it is no directory, `EOPNOTSUPP`
    ///     or `EPERM` if file handles are mandatory and there are none; with ACLs, `EPERM` if a
    ///     thread may have no umask of its own
    public PassthroughFs(Syscalls sys, String directory, PassthroughOptions options) throws ErrnoException {
        this(sys, directory, options, Window.none());
    }

    /// The same with a DAX window, for when the front end has room for one.
    public PassthroughFs(Syscalls sys, String directory, PassthroughOptions options, Window window)
            throws ErrnoException {
        if (options.has(Feature.POSIX_ACL)) {
            Umask.takeOwn(sys); // to know that it can be done: each thread that makes files will
        }
        Fd root = sys.openPath(directory, Fcntl.O_PATH | Fcntl.O_DIRECTORY);
        share = Share.of(sys, options, root, window);
        inodes = new InodeOperations(share);
        directories = new DirectoryOperations(share);
        opens = new OpenOperations(share);
        files = new FileOperations(share);
        ioctls = new IoctlOperations(share);
        xattrs = new XattrOperations(share);
        locks = new LockOperations(share);
        dax = new DaxOperations(share);
        stale = new StaleNodes(share);
        readOnly = options.has(Feature.READ_ONLY);
        Umask.suspend(sys);
    }

    @Override
    public Reply answer(FuseRequest request) throws ErrnoException {
        share.identity().begin();
        if (readOnly) {
            ReadOnly.requireReading(request);
        }
        try {
            return obey(request);
        } catch (ErrnoException e) {
            throw stale.explain(request, e);
        } finally {
            share.window().renewCopies();
        }
    }

    /// The table of contents of the file system: one line for each request, or javac objects.
    private Reply obey(FuseRequest request) throws ErrnoException {
        return switch (request) {
            case SessionRequest.Init init -> struct(init(init));
            case SessionRequest.Destroy _ -> destroy();
            case SessionRequest.Interrupt _ -> Reply.NONE; // Linux never sends one over virtio
            case SessionRequest.NotifyReply _ -> Reply.NONE; // nothing was asked for

            case InodeRequest.Lookup lookup -> struct(inodes.lookup(lookup));
            case InodeRequest.Forget forget -> silent(() -> inodes.forget(forget));
            case InodeRequest.BatchForget forgets -> silent(() -> inodes.batchForget(forgets));
            case InodeRequest.Getattr getattr -> struct(inodes.getattr(getattr));
            case InodeRequest.Statx statx -> struct(inodes.statx(statx));
            case InodeRequest.Access access -> done(() -> inodes.access(access));
            case InodeRequest.Setattr setattr -> struct(inodes.setattr(setattr));
            case InodeRequest.Readlink readlink -> new Reply.Bytes(inodes.readlink(readlink));
            case InodeRequest.Statfs statfs -> struct(inodes.statfs(statfs));
            case InodeRequest.Syncfs syncfs -> done(() -> inodes.syncfs(syncfs));

            case DirectoryRequest.Symlink symlink -> struct(directories.symlink(symlink));
            case DirectoryRequest.Mknod mknod -> struct(directories.mknod(mknod));
            case DirectoryRequest.Mkdir mkdir -> struct(directories.mkdir(mkdir));
            case DirectoryRequest.Unlink unlink -> done(() -> directories.unlink(unlink));
            case DirectoryRequest.Rmdir rmdir -> done(() -> directories.rmdir(rmdir));
            case DirectoryRequest.Rename rename -> done(() -> directories.rename(rename));
            case DirectoryRequest.Rename2 rename -> done(() -> directories.rename2(rename));
            case DirectoryRequest.Link link -> struct(directories.link(link));
            case DirectoryRequest.Opendir opendir -> struct(directories.opendir(opendir));
            case DirectoryRequest.Readdir readdir -> new Reply.Filled(directories.readdir(readdir));
            case DirectoryRequest.Readdirplus readdir -> new Reply.Filled(directories.readdirplus(readdir));
            case DirectoryRequest.Releasedir release -> done(() -> directories.releasedir(release));
            case DirectoryRequest.Fsyncdir fsync -> done(() -> directories.fsyncdir(fsync));

            case FileRequest.Open open -> struct(opens.open(open));
            case FileRequest.Create create -> opens.create(create);
            case FileRequest.Tmpfile tmpfile -> opens.tmpfile(tmpfile);
            case FileRequest.Read read -> new Reply.Filled(files.read(read));
            case FileRequest.Write write -> struct(files.write(write));
            case FileRequest.Flush flush -> done(() -> flush(flush));
            case FileRequest.Release release -> done(() -> release(release));
            case FileRequest.Fsync fsync -> done(() -> files.fsync(fsync));
            case FileRequest.Fallocate fallocate -> done(() -> files.fallocate(fallocate));
            case FileRequest.Lseek lseek -> struct(files.lseek(lseek));
            case FileRequest.CopyFileRange copy -> struct(files.copyFileRange(copy));
            case FileRequest.CopyFileRange64 copy -> struct(files.copyFileRange64(copy));
            case FileRequest.Ioctl ioctl -> ioctls.ioctl(ioctl);

            case XattrRequest.Setxattr setxattr -> done(() -> xattrs.setxattr(setxattr));
            case XattrRequest.Getxattr getxattr -> xattrs.getxattr(getxattr);
            case XattrRequest.Listxattr listxattr -> xattrs.listxattr(listxattr);
            case XattrRequest.Removexattr removexattr -> done(() -> xattrs.removexattr(removexattr));

            case LockRequest.Getlk getlk -> struct(locks.getlk(getlk));
            case LockRequest.Setlk setlk -> locks.setlk(setlk);
            case LockRequest.Setlkw setlkw -> locks.setlkw(setlkw);

            case DaxRequest.SetupMapping setup -> dax.setup(setup);
            case DaxRequest.RemoveMapping remove -> dax.remove(remove);

            // ENOSYS is an answer that the guest's kernel knows how to live with: see each.
            case InodeRequest.Bmap _ -> refuse("there is no block device");
            case FileRequest.Poll _ -> refuse("a regular file is always ready");
            case SessionRequest.Unknown _ -> refuse("newer than this daemon");
        };
    }

    @Override
    public void save(StateWriter to) throws CannotMoveException, IOException {
        new Departure(share).write(to);
    }

    @Override
    public StateRecord.Session load(StateReader from) throws CannotMoveException, MalformedException, IOException {
        return new Arrival(share).read(from);
    }

    /// Gives back all descriptors, to the process its umask, and to the calling thread its rights.
    /// Nothing may be asked any more.
    @Override
    public void close() {
        share.clear();
        share.inodes().close();
        Umask.resume(share.sys());
        try {
            share.identity().restore();
        } catch (ErrnoException e) {
            throw new IllegalStateException("a right that was held cannot be taken back", e);
        }
    }

    /// A second INIT begins anew: the guest's kernel is another one, and knows no nodeid of the
    /// first.
    private InitOut init(SessionRequest.Init request) throws ErrnoException {
        share.clear();
        return share.negotiation().agree(request.in());
    }

    /// Linux sends no REMOVEMAPPING and no FORGET before it.
    private Reply destroy() throws ErrnoException {
        if (share.window().empty() instanceof Reply.NotYet(var _, Reply.WaitsFor whom)) {
            return new Reply.NotYet(this::destroy, whom);
        }
        share.clear();
        return Reply.EMPTY;
    }

    private void flush(FileRequest.Flush request) throws ErrnoException {
        locks.flush(request);
        files.flush(request);
    }

    private void release(FileRequest.Release request) throws ErrnoException {
        locks.release(request);
        files.release(request);
    }

    private static Reply struct(WireStruct value) {
        return new Reply.Struct(value);
    }

    private static Reply done(Operation operation) throws ErrnoException {
        operation.run();
        return Reply.EMPTY;
    }

    private static Reply silent(Operation operation) throws ErrnoException {
        operation.run();
        return Reply.NONE;
    }

    /// @param because for who reads the table, here or in docs/protocol.md
    private static Reply refuse(String because) {
        return new Reply.Error(Errno.ENOSYS);
    }

    /// What is there to be done, with nothing to say about it.
    private interface Operation {
        void run() throws ErrnoException;
    }
}
