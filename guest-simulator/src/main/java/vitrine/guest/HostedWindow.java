package vitrine.guest;

import vitrine.dax.EndlessFiles;
import vitrine.dax.Window;
import vitrine.posix.ErrnoException;
import vitrine.session.HostMount;

/// A DAX window for a file system that is served in this process: as the daemon has one, with files
/// that have no end.
public final class HostedWindow implements AutoCloseable {

    private final HostMount mount;
    private final Window window;

    private HostedWindow(HostMount mount, Window window) {
        this.mount = mount;
        this.window = window;
    }

    /// @param size in bytes: a power of two, from [Window#SMALLEST] to [Window#LARGEST]
    /// @throws ErrnoException if this host cannot have one: it takes Linux 6.9 with
    ///     FUSE_PASSTHROUGH, `/dev/fuse`, and the right to mount
    public static HostedWindow of(long size) throws ErrnoException {
        EndlessFiles files = new EndlessFiles(HostKernel.CALLS);
        HostMount mount = HostMount.of(HostKernel.CALLS, files);
        files.useMount(mount.device(), mount.root());
        return new HostedWindow(mount, new Window(HostKernel.CALLS, size, files::open));
    }

    /// The window, for the file system and for the machine.
    public Window window() {
        return window;
    }

    @Override
    public void close() {
        mount.close();
    }
}
