package vitrine.guest.program;

import vitrine.dax.EndlessFiles;
import vitrine.dax.Window;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.session.HostMount;

/// A DAX window for files of this host.
///
/// @param mount what keeps their ends from QEMU; null if there is no window
record HostWindow(Window window, HostMount mount) implements AutoCloseable {

    private static final long SIZE = 32L << 20; // sixteen pieces

    static HostWindow none() {
        return new HostWindow(Window.none(), null);
    }

    /// @throws ErrnoException if the host can have none: see [vitrine.dax.EndlessFiles]
    static HostWindow open(Syscalls sys) throws ErrnoException {
        EndlessFiles endless = new EndlessFiles(sys);
        HostMount mount = HostMount.of(sys, endless);
        endless.useMount(mount.device(), mount.root());
        return new HostWindow(new Window(sys, SIZE, endless::open), mount);
    }

    @Override
    public void close() {
        if (mount != null) {
            mount.close();
        }
    }
}
