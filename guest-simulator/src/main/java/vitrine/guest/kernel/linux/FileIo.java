package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EBADF;
import static vitrine.posix.Errno.EFBIG;
import static vitrine.posix.Errno.EIO;
import static vitrine.posix.Errno.EISDIR;
import static vitrine.posix.Fcntl.O_APPEND;
import static vitrine.posix.Fcntl.O_DIRECT;
import static vitrine.posix.Fcntl.O_DSYNC;
import static vitrine.posix.Fcntl.O_SYNC;

import java.util.Arrays;
import java.util.Set;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.FopenFlag;
import vitrine.fuse.flag.FsyncFlag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.FsyncIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.PollIn;
import vitrine.fuse.struct.PollOut;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.guest.kernel.Completion;
import vitrine.guest.kernel.DaxPath;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.cache.PageCache;
import vitrine.guest.kernel.cache.Part;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.DataPath;
import vitrine.guest.kernel.rule.DataPath.Way;
import vitrine.guest.kernel.rule.Flushing.Occasion;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.wire.Buffers;

/// Data of open files: which way it takes, and the way through the page cache.
final class FileIo {

    private static final int PAGE = PageCache.PAGE;
    private static final int WRITE_OUT = (int) WriteOut.LAYOUT.byteSize();

    private final Mount mount;
    private final FuseClient client;
    private final Attributes attributes;
    private final AttributeChange changes;
    private final PageReads pageReads;
    private final WriteBack writeBack;
    private final DirectIo direct;
    private final DaxPath window;

    FileIo(
            Mount mount,
            DaxPath window,
            Attributes attributes,
            AttributeChange changes,
            PageReads pageReads,
            WriteBack writeBack) {
        this.mount = mount;
        this.client = mount.client();
        this.attributes = attributes;
        this.changes = changes;
        this.pageReads = pageReads;
        this.writeBack = writeBack;
        this.direct = new DirectIo(mount, changes.killPriv(), writeBack);
        this.window = window;
    }

    /// read(2), or io_submit(2) of one.
    ///
    /// @param how in turn if the caller waits
    Completion<byte[]> read(Task task, LinuxFile file, long offset, int count, Transfer how) throws ErrnoException {
        if (!file.readable()) {
            throw new ErrnoException("read", EBADF);
        }
        requireData(file);
        int size = Math.clamp(Long.MAX_VALUE - offset, 0, count);
        Way way = mount.by(new DataPath.Read(
                window.has(file.inode()),
                file.has(FopenFlag.DIRECT_IO),
                client.profile().has(Habit.SERVER_DIRECT_BEFORE_DAX),
                file.opened(O_DIRECT)));
        return switch (way) {
            case DAX -> Completion.of(window.read(task, file, offset, size));
            case SERVER_DIRECT -> direct.read(task, file, offset, size, asServerWants(file, how));
            case PROGRAM_DIRECT -> readForProgram(task, file, offset, size, how.inTurn(false));
            default -> Completion.of(pageReads.read(task, file, offset, size));
        };
    }

    private static Transfer asServerWants(LinuxFile file, Transfer how) {
        return file.opened(O_DIRECT) ? how : how.inTurn(true);
    }

    /// Linux looks where the file ends before it comes to this way.
    private Completion<byte[]> readForProgram(Task task, LinuxFile file, long offset, int count, Transfer how)
            throws ErrnoException {
        GuestInode inode = file.inode();
        if (client.has(InitFlag.AUTO_INVAL_DATA) || offset + count > inode.size()) {
            attributes.fresh(task, inode, file, Set.of(Part.SIZE));
        }
        if (offset >= inode.size() || count == 0) {
            return Completion.of(new byte[0]);
        }
        return direct.read(task, file, offset, count, how);
    }

    /// write(2), or io_submit(2) of one.
    ///
    /// @param how in turn if the caller waits
    Completion<Integer> write(Task task, LinuxFile file, long offset, byte[] bytes, Transfer how)
            throws ErrnoException {
        if (!file.writable()) {
            throw new ErrnoException("write", EBADF);
        }
        if (bytes.length == 0) {
            return Completion.of(0);
        }
        GuestInode inode = file.inode();
        Way way = writePath(task, file);
        Completion<Integer> written;
        inode.lock().lock();
        try {
            // The server appends where the file really ends; this is where we believe it does.
            long start = file.opened(O_APPEND) ? inode.size() : offset;
            if (start > Long.MAX_VALUE - bytes.length) {
                throw new ErrnoException("write", EFBIG);
            }
            if (way != Way.SERVER_DIRECT) {
                changes.removePrivileges(task, file);
            }
            written = switch (way) {
                case SERVER_DIRECT -> direct.write(task, file, start, bytes, asServerWants(file, how));
                case PROGRAM_DIRECT -> writeForProgram(task, file, start, bytes, how.inTurn(false));
                case DAX -> Completion.of(window.write(task, file, start, bytes));
                case WRITE_BACK -> Completion.of(writeBack.write(task, file, start, bytes));
                default -> Completion.of(writeThrough(task, file, start, bytes));
            };
        } finally {
            inode.lock().unlock();
        }
        if (way != Way.SERVER_DIRECT && file.opened(O_DSYNC)) { // O_SYNC contains O_DSYNC
            written.await();
            fsync(task, file, !file.opened(O_SYNC));
        }
        return written;
    }

    private Way writePath(Task task, LinuxFile file) throws ErrnoException {
        GuestInode inode = file.inode();
        if (mount.terms().writeBack() && !file.has(FopenFlag.DIRECT_IO) && !window.has(inode)) {
            // to know where it ends, and what has to be killed
            attributes.fresh(task, inode, file, Set.of(Part.SIZE, Part.MODE));
        }
        return mount.by(new DataPath.Write(
                window.has(inode),
                file.has(FopenFlag.DIRECT_IO),
                client.profile().has(Habit.SERVER_DIRECT_BEFORE_DAX),
                mount.terms().writeBack(),
                changes.killPriv().serverHasToKill(task, inode),
                file.opened(O_DIRECT)));
    }

    private Completion<Integer> writeForProgram(Task task, LinuxFile file, long offset, byte[] bytes, Transfer how)
            throws ErrnoException {
        if (mount.terms().writeBack()) { // its times are the guest's own, whichever way data takes
            file.inode()
                    .stamp(mount.terms().clock().now(), mount.terms().clock().now());
        }
        return direct.write(task, file, offset, bytes, how);
    }

    /// Into the page cache, and from there to the server before the call returns
    /// (`fuse_perform_write` in Linux). A page of which only a part is known ends a WRITE.
    private int writeThrough(Task task, LinuxFile file, long offset, byte[] bytes) throws ErrnoException {
        GuestInode inode = file.inode();
        int written = 0;
        inode.sizeChanging(offset + bytes.length > inode.size());
        try {
            while (written < bytes.length) {
                int size = batch(inode, offset + written, bytes.length - written);
                int accepted =
                        writeOnce(task, file, offset + written, Arrays.copyOfRange(bytes, written, written + size));
                written += accepted;
                if (accepted < size) {
                    break; // a short write is the server's right
                }
            }
        } finally {
            inode.sizeChanging(false);
            inode.wrote(written > 0 ? offset + written : 0);
            if (mount.terms().writeBack() && written > 0) { // its data is not late, its times are
                inode.stamp(mount.terms().clock().now(), mount.terms().clock().now());
            }
        }
        return written;
    }

    /// How much goes into the next WRITE.
    private int batch(GuestInode inode, long start, int left) {
        int most = Math.min(left, client.largestData());
        int mostPages = client.has(InitFlag.BIG_WRITES) ? client.mostPages() : 1;
        int size = 0;
        for (int number = 0; number < mostPages && size < most; number++) {
            long at = start + size;
            int piece = Math.min(PAGE - (int) (at % PAGE), most - size);
            size += piece;
            if (piece < PAGE && !inode.pages().has(at / PAGE)) {
                break;
            }
        }
        return size;
    }

    private int writeOnce(Task task, LinuxFile file, long offset, byte[] bytes) throws ErrnoException {
        int size = bytes.length;
        PageCache pages = file.inode().pages();
        int piece;
        for (int done = 0; done < size; done += piece) {
            piece = Math.min(PAGE - (int) ((offset + done) % PAGE), size - done);
            pages.store(offset + done, bytes, done, piece);
        }
        boolean kill = changes.killPriv().flagged(task, false);
        int flags = kill ? Flag.word32(WriteFlag.KILL_SUIDGID) : 0;
        WriteIn in = new WriteIn(file.fh(), offset, size, flags, 0, file.flags());
        int accepted = 0;
        try {
            Buffers data = Buffers.ofBytes(bytes);
            accepted = client.ask(
                            new FileRequest.Write(client.header(task, file.nodeid()), in, data),
                            WRITE_OUT,
                            WriteOut::decode)
                    .size();
            if (accepted > size || accepted < 0) {
                throw new ErrnoException("WRITE: more written than there was", EIO);
            }
            return accepted;
        } finally {
            if (accepted < size) { // what the pages hold is not what the server has
                pages.drop((offset + accepted) / PAGE, (offset + size + PAGE - 1) / PAGE);
            }
        }
    }

    /// poll(2). A server that does not know POLL has files that are always ready.
    int poll(Task task, LinuxFile file, int events) throws ErrnoException {
        try {
            return client.ask(
                            new FileRequest.Poll(
                                    client.header(task, file.nodeid()), new PollIn(file.fh(), file.fh(), 0, events)),
                            (int) PollOut.LAYOUT.byteSize(),
                            PollOut::decode)
                    .revents();
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOSYS) {
                throw e;
            }
            return events;
        }
    }

    void fsync(Task task, LinuxFile file, boolean dataOnly) throws ErrnoException {
        writeBack.flush(task, file.inode(), Occasion.SYNC);
        InHeader header = client.header(task, file.nodeid());
        FsyncIn in = new FsyncIn(file.fh(), dataOnly ? Flag.word32(FsyncFlag.FDATASYNC) : 0);
        try {
            client.ask(
                    file.isDirectory() ? new DirectoryRequest.Fsyncdir(header, in) : new FileRequest.Fsync(header, in));
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOSYS) { // a server that has nothing to sync
                throw e;
            }
        }
    }

    private static void requireData(LinuxFile file) throws ErrnoException {
        if (file.isDirectory()) {
            throw new ErrnoException("data of a directory", EISDIR);
        }
    }
}
