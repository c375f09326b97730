package vitrine.session;

import java.lang.foreign.Arena;
import vitrine.fuse.FileSystem;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.virtqueue.DescriptorChain;
import vitrine.wire.Buffers;

/// A file system that this host's own kernel asks for, through `/dev/fuse`: the same requests and
/// the same session as a guest's, without a ring.
///
/// It has no place in the tree of files. Who has [#root] can open what is in it, and whoever is
/// handed such a descriptor can use it.
public final class HostMount implements AutoCloseable {

    /// What a request has room for. The kernel's own rule: no less than 8192 bytes, nor than a
    /// WRITE of `max_write` (`FUSE_MIN_READ_BUFFER`).
    private static final int ROOM = 8192;

    private static final System.Logger LOG = System.getLogger("vitrine.session");

    private final Syscalls sys;
    private final Fd device;
    private final Fd root;

    private HostMount(Syscalls sys, Fd device, Fd root) {
        this.sys = sys;
        this.device = device;
        this.root = root;
    }

    /// Mounts a file system and begins to serve it, on a thread of its own.
    ///
    /// @param fileSystem what answers the kernel; a WRITE is 4096 bytes at most
    /// @throws ErrnoException `EPERM` if the process may not mount, `ENOENT` if there is no
    ///     `/dev/fuse`
    public static HostMount of(Syscalls sys, FileSystem fileSystem) throws ErrnoException {
        Fd device = sys.openPath("/dev/fuse", Fcntl.O_RDWR);
        try (Fd context = sys.fsopen("fuse")) {
            sys.fsconfig(context, "fd", Integer.toString(device.number()));
            sys.fsconfig(context, "rootmode", "40755"); // an octal mode: a directory
            sys.fsconfig(context, "user_id", "0");
            sys.fsconfig(context, "group_id", "0");
            sys.fsconfig(context, "allow_other"); // whoever has been handed a descriptor
            sys.fsconfigCreate(context);
            HostMount mount = new HostMount(sys, device, sys.fsmount(context));
            FuseSession session = new FuseSession(fileSystem);
            Thread.ofPlatform().name("host-mount").daemon().start(() -> mount.serve(session));
            return mount;
        } catch (ErrnoException e) {
            device.close();
            throw e;
        }
    }

    /// The root directory, to open what is in it.
    public Fd root() {
        return root;
    }

    /// The device through which the kernel asks.
    public Fd device() {
        return device;
    }

    /// Ends the mount. Files of it that are open somewhere lose their file system, but not what is
    /// mapped.
    @Override
    public void close() {
        root.close();
    }

    private void serve(FuseSession session) {
        try (device;
                Arena arena = Arena.ofConfined()) {
            Buffers request = Buffers.of(arena.allocate(ROOM));
            Buffers reply = Buffers.of(arena.allocate(ROOM));
            while (true) {
                long length = sys.preadv2(device, request, -1, 0);
                long written = session.serve(new DescriptorChain(0, request.slice(0, length), reply, 2));
                if (written > 0) {
                    reply(reply.slice(0, written));
                }
            }
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENODEV) { // else it is unmounted
                LOG.log(System.Logger.Level.ERROR, "the host's kernel is not served any more: " + e.getMessage());
            }
        }
    }

    private void reply(Buffers reply) throws ErrnoException {
        try {
            sys.pwritev2(device, reply, -1, 0);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOENT) { // else nobody waits for it any more
                throw e;
            }
        }
    }
}
