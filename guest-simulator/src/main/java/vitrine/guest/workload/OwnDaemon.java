package vitrine.guest.workload;

import java.nio.file.Path;
import vitrine.dax.Window;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;

/// Our daemon's file system in this process, with as many open files as it has in a process of its
/// own.
public final class OwnDaemon {

    private static final long OF_THE_PROCESS = 256; // open files that are not the guest's

    private OwnDaemon() {}

    /// Shares a folder.
    ///
    /// @throws ErrnoException if it cannot be opened
    public static PassthroughFs share(Syscalls sys, Path folder, PassthroughOptions options, Window window)
            throws ErrnoException {
        long openFiles = sys.raiseOpenFileLimit();
        PassthroughOptions within = options.withDescriptors(Math.max(OF_THE_PROCESS, openFiles - OF_THE_PROCESS));
        return new PassthroughFs(sys, folder.toString(), within, window);
    }
}
