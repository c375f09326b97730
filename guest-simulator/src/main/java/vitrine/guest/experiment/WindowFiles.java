package vitrine.guest.experiment;

import java.io.IOException;
import vitrine.dax.EndlessFiles;
import vitrine.dax.Window;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.session.HostMount;

/// Files as they may be in a DAX window: without an end, served to this host's kernel.
public final class WindowFiles implements AutoCloseable {

    private static final Syscalls SYS = new Syscalls(Libc.load());
    private static final long WINDOW = 16L << 20;

    private final EndlessFiles files = new EndlessFiles(SYS);
    private final HostMount mount;

    private WindowFiles() throws ErrnoException {
        mount = HostMount.of(SYS, files);
        files.useMount(mount.device(), mount.root());
    }

    /// @throws IOException if this host cannot have them
    public static WindowFiles serve() throws IOException {
        try {
            WindowFiles served = new WindowFiles();
            try (Fd any = SYS.memfdCreate("any");
                    Fd _ = served.files.open(any)) {
                return served;
            } catch (ErrnoException e) {
                served.close();
                throw e;
            }
        } catch (ErrnoException e) {
            throw new IOException(
                    "a DAX window takes root, /dev/fuse and Linux 6.9 with FUSE_PASSTHROUGH: " + e.getMessage(), e);
        }
    }

    /// A window of its own for each machine.
    Window window() {
        return new Window(SYS, WINDOW, files::open);
    }

    @Override
    public void close() {
        mount.close();
    }
}
