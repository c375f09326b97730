package vitrine.daemon;

import java.nio.file.Path;
import vitrine.dax.EndlessFiles;
import vitrine.dax.Window;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileSystemStatus;
import vitrine.posix.Syscalls;
import vitrine.session.HostMount;
import vitrine.wire.Name;

/// Makes the DAX window, where this host can have one.
final class WindowSetup {

    private static final Name HERE = Name.of(".");

    private WindowSetup() {}

    /// The window of a share.
    ///
    /// @throws ErrnoException if the host cannot do what it takes; the message says what that is
    static Window of(Syscalls sys, Path sharedDir, DaxOptions options) throws ErrnoException {
        if (!options.hasWindow()) {
            return Window.none();
        }
        requireWritable(sys, sharedDir);
        try {
            EndlessFiles endless = new EndlessFiles(sys);
            HostMount mount = HostMount.of(sys, endless);
            endless.useMount(mount.device(), mount.root());
            try (Fd file = anyFile(sys, sharedDir)) {
                endless.open(file).close();
            }
            return new Window(sys, options.window(), endless::open);
        } catch (ErrnoException e) {
            throw new ErrnoException(
                    "--dax: takes Linux 6.9 or newer with FUSE_PASSTHROUGH, /dev/fuse, the right to mount"
                            + " (CAP_SYS_ADMIN), and no overlayfs on an overlayfs: " + e.call(),
                    e.errno());
        }
    }

    private static void requireWritable(Syscalls sys, Path sharedDir) throws ErrnoException {
        try (Fd directory = sys.openPath(sharedDir.toString(), Fcntl.O_PATH)) {
            if ((sys.fstatfs(directory).flags() & FileSystemStatus.READ_ONLY) != 0) {
                throw new ErrnoException(
                        "--dax: " + sharedDir + " is mounted read-only, but a guest can write to whatever is in"
                                + " its window",
                        Errno.EROFS);
            }
        }
    }

    /// A file on the share's file system to try with, without a name; where there is no such thing,
    /// one in memory.
    private static Fd anyFile(Syscalls sys, Path sharedDir) throws ErrnoException {
        try (Fd directory = sys.openPath(sharedDir.toString(), Fcntl.O_PATH | Fcntl.O_DIRECTORY)) {
            return sys.openat(directory, HERE, Fcntl.O_TMPFILE | Fcntl.O_RDWR, 0600);
        } catch (ErrnoException _) {
            return sys.memfdCreate("vitrine-probe");
        }
    }
}
