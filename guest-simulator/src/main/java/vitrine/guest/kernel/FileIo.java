package vitrine.guest.kernel;

import static vitrine.posix.Errno.EBADF;
import static vitrine.posix.Errno.EFBIG;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EISDIR;
import static vitrine.posix.Errno.EOPNOTSUPP;
import static vitrine.posix.Errno.EOVERFLOW;
import static vitrine.posix.Fcntl.FALLOC_FL_KEEP_SIZE;
import static vitrine.posix.Fcntl.FALLOC_FL_PUNCH_HOLE;
import static vitrine.posix.Fcntl.FALLOC_FL_ZERO_RANGE;
import static vitrine.posix.Fcntl.O_APPEND;
import static vitrine.posix.Fcntl.O_DIRECT;
import static vitrine.posix.Fcntl.O_DSYNC;
import static vitrine.posix.Fcntl.O_SYNC;

import java.io.ByteArrayOutputStream;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.FopenFlag;
import vitrine.fuse.flag.FsyncFlag;
import vitrine.fuse.flag.GetattrFlag;
import vitrine.fuse.flag.ReadFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.FsyncIn;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.LseekIn;
import vitrine.fuse.struct.LseekOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.SyncfsIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.DataPath;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.wire.Buffers;

/// Data of open files: each read(2) is a READ, each write(2) a WRITE, as far as they fit into one.
final class FileIo {

    private static final int FALLOCATE_MODES = FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE;

    private final FuseClient client;
    private final AttributeChange attributes;
    private final KillPriv killPriv;
    private final WriteBack writeBack;
    private final DaxPath window;
    private final Decisions decisions;

    /// Ways of data other than a request at once.
    record Ways(WriteBack writeBack, DaxPath window) {}

    FileIo(FuseClient client, AttributeChange attributes, KillPriv killPriv, Ways ways, Decisions decisions) {
        this.client = client;
        this.writeBack = ways.writeBack();
        this.window = ways.window();
        this.attributes = attributes;
        this.killPriv = killPriv;
        this.decisions = decisions;
    }

    byte[] read(Task task, LinuxFile file, long offset, int count) throws ErrnoException {
        if (!file.readable()) {
            throw new ErrnoException("read", EBADF);
        }
        requireData(file);
        DataPath.Way way = decisions.by(new DataPath.Read(
                window.has(file.inode()),
                FopenFlag.DIRECT_IO.in(file.openFlags()),
                client.profile().has(KernelProfile.Habit.SERVER_DIRECT_BEFORE_DAX),
                (file.flags() & O_DIRECT) != 0));
        if (way == DataPath.Way.DAX) {
            return window.read(task, file, offset, count);
        }
        writeBack.flush(file.inode());
        int flags = isDirect(file) ? Flag.word32(ReadFlag.LOCKOWNER) : 0;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (bytes.size() < count) {
            int wanted = Math.min(count - bytes.size(), client.largestData());
            ReadIn in = new ReadIn(file.fh(), offset + bytes.size(), wanted, flags, 0, file.flags());
            byte[] got = client.ask(
                    new FileRequest.Read(client.header(task, file.nodeid()), in),
                    wanted,
                    reply -> reply.rest().toBytes());
            bytes.writeBytes(got);
            if (got.length < wanted) {
                break; // the end of the file
            }
        }
        return bytes.toByteArray();
    }

    int write(Task task, LinuxFile file, long offset, byte[] bytes) throws ErrnoException {
        if (!file.writable()) {
            throw new ErrnoException("write", EBADF);
        }
        if (bytes.length == 0) {
            return 0;
        }
        // The server appends where the file really ends; this is where we believe it does.
        long start = (file.flags() & O_APPEND) != 0 ? file.inode().attr().size() : offset;
        DataPath.Way way = way(task, file);
        if (way != DataPath.Way.SERVER_DIRECT) {
            attributes.removePrivileges(task, file);
        }
        int written = switch (way) {
            case DAX -> window.write(task, file, start, bytes);
            case WRITE_BACK -> writeBack.write(task, file, start, bytes);
            default -> send(task, file, start, bytes);
        };
        if (way != DataPath.Way.SERVER_DIRECT && (file.flags() & O_DSYNC) != 0) { // O_SYNC contains O_DSYNC
            fsync(task, file, (file.flags() & O_SYNC) != O_SYNC);
        }
        return written;
    }

    private DataPath.Way way(Task task, LinuxFile file) {
        return decisions.by(new DataPath.Write(
                window.has(file.inode()),
                FopenFlag.DIRECT_IO.in(file.openFlags()),
                client.profile().has(KernelProfile.Habit.SERVER_DIRECT_BEFORE_DAX),
                writeBack.isOn(),
                killPriv.serverHasToKill(task, file.inode()),
                (file.flags() & O_DIRECT) != 0));
    }

    private int send(Task task, LinuxFile file, long start, byte[] bytes) throws ErrnoException {
        writeBack.flush(file.inode());
        int flags = writeFlags(task, isDirect(file));
        int written = 0;
        while (written < bytes.length) {
            int size = Math.min(bytes.length - written, client.largestData());
            int accepted = writeOnce(
                    task, file, start + written, Buffers.ofBytes(bytes).slice(written, size), flags);
            written += accepted;
            if (accepted < size) {
                break; // a short write is the server's right
            }
        }
        file.inode().growTo(start + written);
        if (writeBack.isOn() && !FopenFlag.DIRECT_IO.in(file.openFlags())) {
            writeBack.touch(file); // its pages are clean, its times are not
        }
        return written;
    }

    /// Whether data passes the guest's page cache by: because the server wants it, or the program.
    private static boolean isDirect(LinuxFile file) {
        return FopenFlag.DIRECT_IO.in(file.openFlags()) || (file.flags() & O_DIRECT) != 0;
    }

    private int writeOnce(Task task, LinuxFile file, long offset, Buffers data, int flags) throws ErrnoException {
        WriteIn in = new WriteIn(file.fh(), offset, (int) data.size(), flags, 0, file.flags());
        return client.ask(
                        new FileRequest.Write(client.header(task, file.nodeid()), in, data),
                        (int) WriteOut.LAYOUT.byteSize(),
                        WriteOut::decode)
                .size();
    }

    private int writeFlags(Task task, boolean direct) {
        boolean kill = killPriv.flagged(task, direct);
        return (direct ? Flag.word32(WriteFlag.LOCKOWNER) : 0) | (kill ? Flag.word32(WriteFlag.KILL_SUIDGID) : 0);
    }

    long seek(Task task, LinuxFile file, long offset, int whence) throws ErrnoException {
        writeBack.flush(file.inode());
        if (whence == Fcntl.SEEK_END) {
            return getattr(client, task, file.inode(), file).size() + offset;
        }
        if (whence != Fcntl.SEEK_DATA && whence != Fcntl.SEEK_HOLE) {
            throw new ErrnoException("lseek", EINVAL);
        }
        return client.ask(
                        new FileRequest.Lseek(
                                client.header(task, file.nodeid()), new LseekIn(file.fh(), offset, whence)),
                        (int) LseekOut.LAYOUT.byteSize(),
                        LseekOut::decode)
                .offset();
    }

    void fallocate(Task task, LinuxFile file, int mode, long offset, long length) throws ErrnoException {
        if (offset < 0 || length <= 0) {
            throw new ErrnoException("fallocate", EINVAL);
        }
        boolean punch = (mode & FALLOC_FL_PUNCH_HOLE) != 0;
        boolean zero = (mode & FALLOC_FL_ZERO_RANGE) != 0;
        if (punch && (zero || (mode & FALLOC_FL_KEEP_SIZE) == 0)) {
            throw new ErrnoException("fallocate", EOPNOTSUPP);
        }
        if (!file.writable()) {
            throw new ErrnoException("fallocate", EBADF);
        }
        if (offset + length < 0) {
            throw new ErrnoException("fallocate", EFBIG);
        }
        if ((mode & ~FALLOCATE_MODES) != 0) { // FUSE's own limit, whatever the host could do
            throw new ErrnoException("fallocate", EOPNOTSUPP);
        }
        writeBack.flush(file.inode());
        attributes.removePrivileges(task, file);
        client.ask(new FileRequest.Fallocate(
                client.header(task, file.nodeid()), new FallocateIn(file.fh(), offset, length, mode)));
        if ((mode & FALLOC_FL_KEEP_SIZE) == 0) {
            file.inode().growTo(offset + length);
        }
    }

    void fsync(Task task, LinuxFile file, boolean dataOnly) throws ErrnoException {
        writeBack.flush(file.inode());
        InHeader header = client.header(task, file.nodeid());
        FsyncIn in = new FsyncIn(file.fh(), dataOnly ? Flag.word32(FsyncFlag.FDATASYNC) : 0);
        client.ask(file.isDirectory() ? new DirectoryRequest.Fsyncdir(header, in) : new FileRequest.Fsync(header, in));
    }

    void sync(Task task) throws ErrnoException {
        writeBack.flushAll();
        client.ask(new InodeRequest.Syncfs(client.header(task, GuestInode.ROOT), new SyncfsIn()));
    }

    /// A place in an open file.
    record Place(LinuxFile file, long offset) {}

    long copy(Task task, Place from, Place to, long length) throws ErrnoException {
        long count = requireCopyable(from, to, length);
        if (count == 0) {
            return 0; // nothing is sent, and nothing killed
        }
        writeBack.flush(from.file().inode());
        attributes.removePrivileges(task, to.file());
        writeBack.flush(to.file().inode());
        CopyFileRangeIn in = new CopyFileRangeIn(
                from.file().fh(), from.offset(), to.file().nodeid(), to.file().fh(), to.offset(), count, 0);
        int copied = client.ask(
                        new FileRequest.CopyFileRange(
                                client.header(task, from.file().nodeid()), in),
                        (int) WriteOut.LAYOUT.byteSize(),
                        WriteOut::decode)
                .size();
        to.file().inode().growTo(to.offset() + copied);
        return Integer.toUnsignedLong(copied);
    }

    /// How much is to be copied (`generic_copy_file_checks` in Linux): no more than there is.
    private static long requireCopyable(Place from, Place to, long length) throws ErrnoException {
        requireData(from.file());
        requireData(to.file());
        if (!from.file().readable() || !to.file().writable() || (to.file().flags() & O_APPEND) != 0) {
            throw new ErrnoException("copy_file_range", EBADF);
        }
        if (from.offset() + length < from.offset() || to.offset() + length < to.offset()) {
            throw new ErrnoException("copy_file_range", EOVERFLOW);
        }
        long count = Math.clamp(from.file().believedSize() - from.offset(), 0, length);
        boolean sameFile = from.file().nodeid() == to.file().nodeid();
        if (sameFile && to.offset() + count > from.offset() && to.offset() < from.offset() + count
                || from.offset() < 0
                || to.offset() < 0) {
            throw new ErrnoException("copy_file_range", EINVAL);
        }
        return count;
    }

    /// GETATTR; with the handle of an open file where the kernel has one at hand.
    static Attr getattr(FuseClient client, Task task, GuestInode inode, LinuxFile file) throws ErrnoException {
        GetattrIn in = file == null ? new GetattrIn(0, 0) : new GetattrIn(Flag.word32(GetattrFlag.FH), file.fh());
        return client.ask(
                        new InodeRequest.Getattr(client.header(task, inode.nodeid()), in),
                        (int) AttrOut.LAYOUT.byteSize(),
                        AttrOut::decode)
                .attr();
    }

    private static void requireData(LinuxFile file) throws ErrnoException {
        if (file.isDirectory()) {
            throw new ErrnoException("data of a directory", EISDIR);
        }
    }
}
