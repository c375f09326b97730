package vitrine.daemon;

import java.io.IOException;
import vitrine.fuse.FileSystem;
import vitrine.posix.Libc;
import vitrine.vhostuser.Connection;
import vitrine.vhostuser.VirtioDevice;

/// Who looks on, if anybody does: each part of the daemon passes through here once, while the
/// daemon is put together, and comes out tapped or as it was.
interface Watch extends AutoCloseable {

    /// Nobody: no tap exists, and nothing of the trace is even loaded.
    Watch NOBODY = new Watch() {};

    /// The host's system calls.
    default Libc tap(Libc libc) {
        return libc;
    }

    /// Requests and their replies.
    default FileSystem tap(FileSystem fileSystem) {
        return fileSystem;
    }

    /// Chains and calls of every ring that is started.
    default VirtioDevice tap(VirtioDevice device) {
        return device;
    }

    /// Messages of the front end.
    default Connection tap(Connection connection) {
        return connection;
    }

    /// The end: what was seen is safe.
    ///
    /// @throws IOException if it is not
    @Override
    default void close() throws IOException {
        // Nobody saw anything.
    }
}
