package vitrine.guest.bridge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import vitrine.fuse.struct.OutHeader;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.WireWriter;

/// A file system of this host that asks us: a mount point, and `/dev/fuse` behind it.
final class FuseMount implements AutoCloseable {

    /// As Linux mounts a virtio-fs: it checks permissions itself, and lets everybody in.
    private static final String OPTIONS = "fd=%d,rootmode=40000,user_id=0,group_id=0,default_permissions,allow_other";

    private final Syscalls sys;
    private final Fd device;
    private final Path mountPoint;
    private final AtomicBoolean mounted = new AtomicBoolean(true);
    private volatile boolean aborted;

    private FuseMount(Syscalls sys, Fd device, Path mountPoint) {
        this.sys = sys;
        this.device = device;
        this.mountPoint = mountPoint;
    }

    /// Mounts. The kernel's INIT can be read at once.
    ///
    /// @throws ErrnoException if there is no `/dev/fuse`, or this process may not mount
    static FuseMount at(Path mountPoint, Syscalls sys) throws ErrnoException {
        Fd device = sys.openPath("/dev/fuse", Fcntl.O_RDWR);
        try {
            String options = String.format(OPTIONS, device.number());
            MountCalls.mount(sys, mountPoint, "fuse.vitrine", options);
            return new FuseMount(sys, device, mountPoint);
        } catch (ErrnoException e) {
            device.close();
            throw e;
        }
    }

    /// Waits for the kernel's next request.
    ///
    /// @param into room for the longest request there can be
    /// @return how long it is, or -1 if there will be none any more
    long read(MemorySegment into) throws ErrnoException {
        Buffers buffers = Buffers.of(into);
        while (true) {
            try {
                return sys.preadv2(device, buffers, -1, 0);
            } catch (ErrnoException e) {
                switch (e.errno()) {
                    case Errno.ENODEV -> { // unmounted, or aborted by us
                        mounted.compareAndSet(true, aborted); // what is mounted there next is not ours
                        return -1;
                    }
                    case Errno.ECONNABORTED -> {
                        return -1;
                    }
                    case Errno.ENOENT -> {} // taken back before it was read
                    default -> throw e;
                }
            }
        }
    }

    /// Gives the kernel a reply, header first.
    ///
    /// @return false if the kernel takes it for none
    boolean write(Buffers reply) throws ErrnoException {
        try {
            sys.pwritev2(device, reply, -1, 0);
            return true;
        } catch (ErrnoException e) {
            return switch (e.errno()) {
                case Errno.ENOENT, Errno.ENODEV -> true; // nobody waits for it any more
                case Errno.EINVAL -> false;
                default -> throw e;
            };
        }
    }

    /// Gives the kernel an error for a reply.
    ///
    /// @param errno positive
    void refuse(long unique, int errno) throws ErrnoException {
        OutHeader header = new OutHeader((int) OutHeader.LAYOUT.byteSize(), -errno, unique);
        MemorySegment bytes = Arena.ofAuto().allocate(OutHeader.LAYOUT);
        header.encode(new WireWriter(Buffers.of(bytes)));
        write(Buffers.of(List.of(bytes)));
    }

    /// Ends all requests, now and later, and leaves the file system where it is: programs get
    /// errors rather than the directory that lies beneath.
    void abort() throws ErrnoException {
        aborted = true;
        try (Fd _ = sys.openPath(mountPoint.toString(), Fcntl.O_PATH)) { // in use, so it cannot be unmounted
            MountCalls.unmount(sys, mountPoint, MountCalls.MNT_FORCE);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EBUSY) {
                throw e;
            }
        }
    }

    /// Takes the file system away; programs that still use it get errors.
    ///
    /// @return whether nobody used it any more
    boolean unmount() throws ErrnoException {
        if (!mounted.getAndSet(false)) {
            return true;
        }
        try {
            MountCalls.unmount(sys, mountPoint, 0);
            return true;
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EBUSY) {
                return true; // somebody else has unmounted it
            }
            abort();
            MountCalls.unmount(sys, mountPoint, MountCalls.MNT_DETACH);
            return false;
        }
    }

    @Override
    public void close() {
        device.close();
    }
}
