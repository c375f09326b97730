package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.ENOSYS;
import static vitrine.posix.Errno.ENOTTY;
import static vitrine.posix.Errno.EPERM;

import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.IoctlFlag;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.IoctlIn;
import vitrine.fuse.struct.IoctlOut;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.guest.kernel.Capability;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireWriter;

/// The flags that lsattr(1) shows and chattr(1) sets (`vfs_fileattr_get`, `vfs_fileattr_set`).
///
/// Linux has opened the file for the program, and opens it once more for each IOCTL: its flags are
/// a matter of the inode, which has no handle of its own.
final class FileFlags {

    private static final int FS_IOC_GETFLAGS = 0x80086601;
    private static final int FS_IOC_SETFLAGS = 0x40086602;
    private static final int SIZE = 4; // the number says 8 bytes, but Linux means an int
    private static final int IMMUTABLE_OR_APPEND = 0x10 | 0x20; // FS_IMMUTABLE_FL, FS_APPEND_FL

    private final FuseClient client;

    FileFlags(FuseClient client) {
        this.client = client;
    }

    int get(Task task, GuestInode inode) throws ErrnoException {
        return ioctl(task, inode, FS_IOC_GETFLAGS, Buffers.EMPTY, SIZE);
    }

    void set(Task task, GuestInode inode, int flags) throws ErrnoException {
        Permission.requireOwner(task, inode.attr());
        int changed = get(task, inode) ^ flags;
        if ((changed & IMMUTABLE_OR_APPEND) != 0 && !task.can(Capability.LINUX_IMMUTABLE)) {
            throw new ErrnoException("ioctl", EPERM);
        }
        byte[] input = new byte[SIZE];
        new WireWriter(Buffers.ofBytes(input)).u32(flags);
        ioctl(task, inode, FS_IOC_SETFLAGS, Buffers.ofBytes(input), 0);
    }

    private int ioctl(Task task, GuestInode inode, int command, Buffers input, int room) throws ErrnoException {
        boolean directory = Stat.isDirectory(inode.attr().mode());
        if (!directory && !Stat.isRegular(inode.attr().mode())) {
            throw new ErrnoException("ioctl", ENOTTY);
        }
        long fh = open(client.header(task, inode.nodeid()), directory);
        try {
            int how = directory ? Flag.word32(IoctlFlag.DIR) : 0;
            IoctlIn in = new IoctlIn(fh, how, command, 0, (int) input.size(), room);
            return client.ask(
                    new FileRequest.Ioctl(client.header(task, inode.nodeid()), in, input),
                    (int) IoctlOut.LAYOUT.byteSize() + room,
                    reply -> answer(reply, room));
        } catch (ErrnoException e) {
            throw e.errno() == ENOSYS ? new ErrnoException(e.call(), ENOTTY) : e;
        } finally {
            release(client.kernelHeader(inode.nodeid()), directory, fh);
        }
    }

    private static int answer(WireReader reply, int room) throws MalformedException {
        int result = IoctlOut.decode(reply).result();
        if (result < 0) {
            throw new MalformedException("ioctl: " + result);
        }
        return room == 0 ? 0 : reply.u32();
    }

    private long open(InHeader header, boolean directory) throws ErrnoException {
        OpenIn in = new OpenIn(Fcntl.O_RDONLY, 0);
        return client.ask(
                        directory ? new DirectoryRequest.Opendir(header, in) : new FileRequest.Open(header, in),
                        (int) OpenOut.LAYOUT.byteSize(),
                        OpenOut::decode)
                .fh();
    }

    private void release(InHeader header, boolean directory, long fh) throws ErrnoException {
        ReleaseIn in = new ReleaseIn(fh, Fcntl.O_RDONLY, 0, 0);
        client.ask(directory ? new DirectoryRequest.Releasedir(header, in) : new FileRequest.Release(header, in));
    }
}
