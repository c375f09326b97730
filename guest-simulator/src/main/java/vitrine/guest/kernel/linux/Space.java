package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EBADF;
import static vitrine.posix.Errno.EFBIG;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EISDIR;
import static vitrine.posix.Errno.ENOSYS;
import static vitrine.posix.Errno.ENXIO;
import static vitrine.posix.Errno.EOPNOTSUPP;
import static vitrine.posix.Errno.EOVERFLOW;
import static vitrine.posix.Errno.EXDEV;
import static vitrine.posix.Fcntl.FALLOC_FL_KEEP_SIZE;
import static vitrine.posix.Fcntl.FALLOC_FL_PUNCH_HOLE;
import static vitrine.posix.Fcntl.FALLOC_FL_ZERO_RANGE;
import static vitrine.posix.Fcntl.O_APPEND;

import java.util.Set;
import vitrine.fuse.FileRequest;
import vitrine.fuse.Opcode;
import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.CopyFileRangeOut;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.LseekIn;
import vitrine.fuse.struct.LseekOut;
import vitrine.fuse.struct.WriteOut;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.cache.PageCache;
import vitrine.guest.kernel.cache.Part;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// The space of a file: allocating it, finding holes in it, and copying from one file to another
/// without a program in between.
final class Space {

    private static final int FALLOCATE_MODES = FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE;
    private static final int PAGE = PageCache.PAGE;
    private static final int PIECE = 65_536; // of a copy by hand: a pipe's worth (Linux: splice)
    private static final long MOST_COPIED = 0xffff_f000L; // the reply of COPY_FILE_RANGE has 32 bits

    private final Mount mount;
    private final FuseClient client;
    private final Attributes attributes;
    private final AttributeChange changes;
    private final WriteBack writeBack;
    private final FileIo data;

    Space(Mount mount, Attributes attributes, AttributeChange changes, WriteBack writeBack, FileIo data) {
        this.mount = mount;
        this.client = mount.client();
        this.attributes = attributes;
        this.changes = changes;
        this.writeBack = writeBack;
        this.data = data;
    }

    long seek(Task task, LinuxFile file, long offset, int whence) throws ErrnoException {
        GuestInode inode = file.inode();
        if (whence == Fcntl.SEEK_END) {
            return attributes.fresh(task, inode, file, Set.of(Part.SIZE)).size() + offset;
        }
        if (whence != Fcntl.SEEK_DATA && whence != Fcntl.SEEK_HOLE) {
            throw new ErrnoException("lseek", EINVAL);
        }
        inode.lock().lock();
        try {
            return client.ask(
                            new FileRequest.Lseek(
                                    client.header(task, file.nodeid()), new LseekIn(file.fh(), offset, whence)),
                            (int) LseekOut.LAYOUT.byteSize(),
                            LseekOut::decode)
                    .offset();
        } catch (ErrnoException e) {
            if (e.errno() != ENOSYS) {
                throw e;
            }
            return seekInOnePiece(task, file, offset, whence);
        } finally {
            inode.lock().unlock();
        }
    }

    /// To who knows no holes, a file is data up to its end.
    private long seekInOnePiece(Task task, LinuxFile file, long offset, int whence) throws ErrnoException {
        long size =
                attributes.fresh(task, file.inode(), file, Set.of(Part.SIZE)).size();
        if (offset < 0 || offset >= size) {
            throw new ErrnoException("lseek", ENXIO);
        }
        return whence == Fcntl.SEEK_DATA ? offset : size;
    }

    void fallocate(Task task, LinuxFile file, int mode, long offset, long length) throws ErrnoException {
        if (offset < 0 || length <= 0) {
            throw new ErrnoException("fallocate", EINVAL);
        }
        boolean punch = (mode & FALLOC_FL_PUNCH_HOLE) != 0;
        boolean zero = (mode & FALLOC_FL_ZERO_RANGE) != 0;
        boolean keepsSize = (mode & FALLOC_FL_KEEP_SIZE) != 0;
        if (punch && (zero || !keepsSize)) {
            throw new ErrnoException("fallocate", EOPNOTSUPP);
        }
        if (!file.writable()) {
            throw new ErrnoException("fallocate", EBADF);
        }
        if (offset + length < 0) {
            throw new ErrnoException("fallocate", EFBIG);
        }
        // FUSE's own limit, whatever the host could do
        if ((mode & ~FALLOCATE_MODES) != 0 || client.lacks(Opcode.FALLOCATE)) {
            throw new ErrnoException("fallocate", EOPNOTSUPP);
        }
        GuestInode inode = file.inode();
        inode.lock().lock();
        try {
            if (punch || zero) {
                writeBack.flushFrom(inode, offset);
            }
            changes.removePrivileges(task, file);
            send(task, file, new FallocateIn(file.fh(), offset, length, mode));
            inode.wrote(keepsSize ? 0 : offset + length);
            stampIfOwn(inode);
            if (punch || zero) {
                inode.pages().punch(offset, offset + length);
            }
        } finally {
            inode.lock().unlock();
        }
    }

    private void send(Task task, LinuxFile file, FallocateIn in) throws ErrnoException {
        boolean changesSize = (in.mode() & FALLOC_FL_KEEP_SIZE) == 0;
        file.inode().sizeChanging(changesSize);
        try {
            client.ask(new FileRequest.Fallocate(client.header(task, file.nodeid()), in));
        } catch (ErrnoException e) {
            throw e.errno() == ENOSYS ? new ErrnoException(e.call(), EOPNOTSUPP) : e;
        } finally {
            file.inode().sizeChanging(false);
        }
    }

    private void stampIfOwn(GuestInode inode) {
        if (mount.terms().writeBack() && inode.isRegular()) {
            inode.stamp(mount.terms().clock().now(), mount.terms().clock().now());
        }
    }

    /// A place in an open file.
    record Place(LinuxFile file, long offset) {

        GuestInode inode() {
            return file.inode();
        }
    }

    long copy(Task task, Place from, Place to, long length) throws ErrnoException {
        long count = requireCopyable(from, to, length);
        if (count == 0) {
            return 0; // nothing is sent, and nothing killed
        }
        try {
            if (!from.file().dentry().isOnMountOf(to.file().dentry()) || client.lacks(Opcode.COPY_FILE_RANGE)) {
                throw new ErrnoException("copy_file_range", EXDEV);
            }
            return copyByServer(task, from, to, count);
        } catch (ErrnoException e) {
            if (e.errno() != ENOSYS && e.errno() != EOPNOTSUPP && e.errno() != EXDEV) {
                throw e;
            }
            return copyByHand(task, from, to, count);
        }
    }

    private long copyByServer(Task task, Place from, Place to, long count) throws ErrnoException {
        from.inode().lock().lock();
        try {
            writeBack.flushFrom(from.inode(), from.offset());
        } finally {
            from.inode().lock().unlock();
        }
        GuestInode inode = to.inode();
        inode.lock().lock();
        try {
            changes.removePrivileges(task, to.file());
            writeBack.flushFrom(inode, to.offset());
            inode.sizeChanging(to.offset() + count > inode.size());
            long copied;
            try {
                copied = sendCopy(task, from, to, count);
            } finally {
                inode.sizeChanging(false);
            }
            inode.pages().drop(to.offset() / PAGE, (to.offset() + copied + PAGE - 1) / PAGE);
            inode.wrote(copied > 0 ? to.offset() + copied : 0);
            stampIfOwn(inode);
            return copied;
        } finally {
            inode.lock().unlock();
        }
    }

    /// Newer kernels ask for a copy of any length first.
    private long sendCopy(Task task, Place from, Place to, long count) throws ErrnoException {
        InHeader header = client.header(task, from.file().nodeid());
        if (client.profile().has(Habit.COPY_64) && !client.lacks(Opcode.COPY_FILE_RANGE_64)) {
            try {
                return client.ask(
                                new FileRequest.CopyFileRange64(header, copyIn(from, to, count)),
                                (int) CopyFileRangeOut.LAYOUT.byteSize(),
                                CopyFileRangeOut::decode)
                        .bytesCopied();
            } catch (ErrnoException e) {
                if (e.errno() != ENOSYS) {
                    throw e;
                }
                header = client.header(task, from.file().nodeid());
            }
        }
        int copied = client.ask(
                        new FileRequest.CopyFileRange(header, copyIn(from, to, Math.min(count, MOST_COPIED))),
                        (int) WriteOut.LAYOUT.byteSize(),
                        WriteOut::decode)
                .size();
        return Integer.toUnsignedLong(copied);
    }

    private static CopyFileRangeIn copyIn(Place from, Place to, long count) {
        return new CopyFileRangeIn(
                from.file().fh(), from.offset(), to.file().nodeid(), to.file().fh(), to.offset(), count, 0);
    }

    /// What Linux does where no server helps: it reads and writes.
    private long copyByHand(Task task, Place from, Place to, long count) throws ErrnoException {
        long copied = 0;
        while (copied < count) {
            int wanted = (int) Math.min(PIECE, count - copied);
            byte[] bytes = data.read(task, from.file(), from.offset() + copied, wanted, new Transfer(true, 0))
                    .await();
            int written = bytes.length == 0
                    ? 0
                    : data.write(task, to.file(), to.offset() + copied, bytes, new Transfer(true, 0))
                            .await();
            copied += written;
            if (written < wanted) {
                break;
            }
        }
        return copied;
    }

    /// How much is to be copied (`generic_copy_file_checks` in Linux): no more than there is.
    private static long requireCopyable(Place from, Place to, long length) throws ErrnoException {
        if (from.file().isDirectory() || to.file().isDirectory()) {
            throw new ErrnoException("data of a directory", EISDIR);
        }
        if (!from.file().readable() || !to.file().writable() || to.file().opened(O_APPEND)) {
            throw new ErrnoException("copy_file_range", EBADF);
        }
        if (from.offset() + length < from.offset() || to.offset() + length < to.offset()) {
            throw new ErrnoException("copy_file_range", EOVERFLOW);
        }
        long count = Math.clamp(from.inode().size() - from.offset(), 0, length);
        boolean sameFile = from.inode() == to.inode();
        if (sameFile && to.offset() + count > from.offset() && to.offset() < from.offset() + count
                || from.offset() < 0
                || to.offset() < 0) {
            throw new ErrnoException("copy_file_range", EINVAL);
        }
        return count;
    }
}
