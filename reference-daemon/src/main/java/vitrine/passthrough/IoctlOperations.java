package vitrine.passthrough;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import vitrine.fuse.Extensions;
import vitrine.fuse.FileRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.flag.IoctlFlag;
import vitrine.fuse.struct.IoctlIn;
import vitrine.fuse.struct.IoctlOut;
import vitrine.passthrough.held.HandleTable;
import vitrine.passthrough.held.SharedDescriptor;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.WireWriter;

/// IOCTL: the flags that lsattr(1) shows and chattr(1) sets, in both words in which Linux has them
/// (`linux/fs.h`). All other ioctl(2)s are `ENOTTY`: each would be a door into the host's drivers.
///
/// Who changes flags is the caller, not the daemon: before 5.13, Linux' FUSE did not check that it
/// is the owner. (It does in every kernel that may leave out who asks.) Whether a file may become
/// immutable is up to the host, for which a superuser of the guest has the daemon's capabilities.
///
/// To the host a guest is what a container is: it cannot leave its project, by which the host
/// counts its quota (the host's kernel has the same rule for user namespaces).
final class IoctlOperations {

    private static final int FS_IOC_GETFLAGS = 0x80086601; // says "long", means int
    private static final int FS_IOC_SETFLAGS = 0x40086602;
    private static final int FS_IOC_FSGETXATTR = 0x801c581f; // struct fsxattr
    private static final int FS_IOC_FSSETXATTR = 0x401c5820;

    private static final int FLAGS_SIZE = 4;
    private static final int FS_PROJINHERIT_FL = 0x20000000;
    private static final int FSXATTR_SIZE = 28;
    private static final int FSX_XFLAGS = 0;
    private static final int FSX_PROJID = 12;
    private static final int FS_XFLAG_PROJINHERIT = 0x200;

    private final Syscalls sys;
    private final Identity identity;
    private final HandleTable handles;

    IoctlOperations(Share share) {
        sys = share.sys();
        identity = share.identity();
        handles = share.handles();
    }

    /// IOCTL: reads or changes the flags of an open file or directory.
    Reply ioctl(FileRequest.Ioctl request) throws ErrnoException {
        return switch (request.in().cmd()) {
            case FS_IOC_GETFLAGS -> get(request, FLAGS_SIZE);
            case FS_IOC_SETFLAGS -> setFlags(request);
            case FS_IOC_FSGETXATTR -> get(request, FSXATTR_SIZE);
            case FS_IOC_FSSETXATTR -> setFsxattr(request);
            default ->
                throw new ErrnoException(
                        "ioctl 0x" + Integer.toHexString(request.in().cmd()), Errno.ENOTTY);
        };
    }

    private Reply get(FileRequest.Ioctl request, int size) throws ErrnoException {
        requireSizes(request, 0, size);
        try (SharedDescriptor file = handle(request)) {
            byte[] reply = new byte[(int) IoctlOut.LAYOUT.byteSize() + size];
            WireWriter out = new WireWriter(Buffers.ofBytes(reply));
            new IoctlOut(0, 0, 0, 0).encode(out);
            out.bytes(sys.ioctl(file.fd(), request.in().cmd(), new byte[size]));
            return new Reply.Bytes(Buffers.ofBytes(reply));
        }
    }

    private Reply setFlags(FileRequest.Ioctl request) throws ErrnoException {
        requireSizes(request, FLAGS_SIZE, 0);
        byte[] flags = request.input().toBytes();
        try (SharedDescriptor file = handle(request)) {
            byte[] before = sys.ioctl(file.fd(), FS_IOC_GETFLAGS, new byte[FLAGS_SIZE]);
            requireSameProject((word(before, 0) ^ word(flags, 0)) & FS_PROJINHERIT_FL);
            return set(request, file, flags);
        }
    }

    private Reply setFsxattr(FileRequest.Ioctl request) throws ErrnoException {
        requireSizes(request, FSXATTR_SIZE, 0);
        byte[] fsxattr = request.input().toBytes();
        try (SharedDescriptor file = handle(request)) {
            byte[] before = sys.ioctl(file.fd(), FS_IOC_FSGETXATTR, new byte[FSXATTR_SIZE]);
            requireSameProject((word(before, FSX_XFLAGS) ^ word(fsxattr, FSX_XFLAGS)) & FS_XFLAG_PROJINHERIT);
            requireSameProject(word(before, FSX_PROJID) ^ word(fsxattr, FSX_PROJID));
            return set(request, file, fsxattr);
        }
    }

    private Reply set(FileRequest.Ioctl request, SharedDescriptor file, byte[] value) throws ErrnoException {
        if (!identity.isTold(request.header())) {
            identity.mayKeepSetIdBits();
            sys.ioctl(file.fd(), request.in().cmd(), value);
        } else {
            try (var _ = identity.asCaller(request.header(), Extensions.NONE)) {
                sys.ioctl(file.fd(), request.in().cmd(), value);
            }
        }
        return new Reply.Struct(new IoctlOut(0, 0, 0, 0));
    }

    private SharedDescriptor handle(FileRequest.Ioctl request) throws ErrnoException {
        IoctlIn in = request.in();
        return in.has(IoctlFlag.DIR)
                ? handles.directory(in.fh(), request.nodeid())
                : handles.file(in.fh(), request.nodeid());
    }

    private static void requireSizes(FileRequest.Ioctl request, int in, int out) throws ErrnoException {
        if (request.input().size() != in || request.into().size() != out) {
            throw new ErrnoException("ioctl with " + request.in(), Errno.EINVAL);
        }
    }

    private static void requireSameProject(int difference) throws ErrnoException {
        if (difference != 0) {
            throw new ErrnoException("a guest in another project", Errno.EINVAL);
        }
    }

    private static int word(byte[] struct, int offset) {
        return ByteBuffer.wrap(struct).order(ByteOrder.nativeOrder()).getInt(offset);
    }
}
