package vitrine.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import vitrine.passthrough.PassthroughFs;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.session.FuseSession;
import vitrine.vhostuser.Backend;
import vitrine.vhostuser.Connection;
import vitrine.vhostuser.VirtioDevice;
import vitrine.wire.MalformedException;

/// The daemon, put together from its parts.
///
/// ```
///  Libc ► Syscalls ──► PassthroughFs ► FuseSession ► VirtioFsDevice ──► a QueueWorker a ring
///              │                                          ▲
///              └─────► UnixSocket ► SocketConnection ► Backend          obeys the front end
/// ```
///
/// One listening socket, one front end at a time. Each `►` that has a tap goes through the [Watch].
final class Daemon implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("vitrine.daemon");

    private final DaemonOptions options;
    private final Watch watch;
    private final Syscalls sys;
    private final PassthroughFs fileSystem;
    private final VirtioDevice device;
    private final FuseSession session;
    private final UnixSocket listening;

    /// Opens the shared directory and listens; from then on a front end can connect.
    ///
    /// @throws ErrnoException if the directory or the socket cannot be had; the message says which
    /// @throws IOException if the capture file cannot be written
    Daemon(DaemonOptions options) throws ErrnoException, IOException {
        this.options = options;
        watch = options.capture == null
                ? Watch.NOBODY
                : new CaptureWatch(options.capture, Map.of("cache", options.cache.name()));
        Libc libc = watch.tap(Libc.load());
        sys = new Syscalls(libc);
        long openFiles = sys.raiseOpenFileLimit();
        fileSystem = new PassthroughFs(sys, options.sharedDir.toString(), options.fileSystem());
        session = new FuseSession(watch.tap(fileSystem));
        device = watch.tap(new VirtioFsDevice(sys, session, options.requestQueues, options.tag));
        listening = options.fd == null
                ? UnixSocket.listen(sys, options.socketPath)
                : UnixSocket.adopt(sys, new Fd(options.fd, libc));
        LOG.log(
                System.Logger.Level.INFO,
                "sharing {0}, waiting for a front end; up to {1} open files",
                options.sharedDir,
                Long.toString(openFiles));
    }

    /// Serves one front end after the other, or just the first.
    ///
    /// @throws ErrnoException if the socket fails
    /// @throws MalformedException if a front end does not speak vhost-user
    void run() throws ErrnoException, MalformedException {
        do {
            UnixSocket connected = listening.accept();
            LOG.log(System.Logger.Level.INFO, "a front end has connected");
            try (Backend backend = new Backend(watch.tap(Connection.over(connected)), device, sys)) {
                backend.run();
            } finally {
                session.reset(); // the next guest knows nothing of what this one held
            }
            LOG.log(System.Logger.Level.INFO, "the front end has left");
        } while (options.keepListening);
    }

    /// Removes the socket, and makes sure that the capture is complete. For the end of the process:
    /// whatever else is open goes with it.
    @Override
    public void close() throws IOException {
        listening.close();
        if (options.socketPath != null) {
            Files.deleteIfExists(options.socketPath);
        }
        watch.close();
    }
}
