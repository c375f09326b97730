package vitrine.daemon;

import java.io.IOException;
import java.util.Map;
import vitrine.dax.Window;
import vitrine.passthrough.PassthroughFs;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Stat;
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
    private final long openFiles;
    private final Window window;
    private final PassthroughFs fileSystem;
    private final VirtioDevice device;
    private final FuseSession session;
    private final UnixSocket listening;

    /// Opens the shared directory and listens; from then on a front end can connect.
    ///
    /// @throws ErrnoException if the directory or the socket cannot be had; the message says which
    /// @throws IOException if there can be no capture
    Daemon(DaemonOptions options) throws ErrnoException, IOException {
        this.options = options;
        watch = CaptureWatch.of(options.capture, options.captureSocket, Map.of("cache", options.cache.name()));
        Libc libc = watch.tap(Libc.load());
        sys = new Syscalls(libc);
        openFiles = openFileLimit();
        window = WindowSetup.of(sys, options.sharedDir, options.dax); // takes rights that are given up later
        listening = options.fd == null ? listen() : adopt();
        fileSystem = share();
        session = new FuseSession(watch.tap(fileSystem), fileSystem);
        device = watch.tap(new VirtioFsDevice(sys, session, options.requestQueues, options.tag, window));
    }

    private UnixSocket listen() throws ErrnoException, IOException {
        UnixSocket socket = UnixSocket.listen(sys, options.socketPath);
        try {
            if (options.socketGroup != null) {
                Confinement.letIn(options.socketGroup, options.socketPath);
            }
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// What is no socket is not ours to close either: the JVM may have opened it.
    private UnixSocket adopt() throws ErrnoException {
        Fd fd = new Fd(options.fd, sys.libc());
        try {
            if (Stat.isSocket(sys.statx(fd, Stat.STATX_TYPE).mode())) {
                return UnixSocket.adopt(sys, fd);
            }
        } catch (ErrnoException e) {
            throw new ErrnoException("--fd=" + options.fd + ": " + e.call(), e.errno());
        }
        throw new ErrnoException("--fd=" + options.fd, Errno.ENOTSOCK);
    }

    private long openFileLimit() throws ErrnoException {
        if (options.openFiles == null) {
            sys.raiseOpenFileLimit();
        } else if (options.openFiles != 0) {
            setOpenFileLimit(options.openFiles);
        }
        long limit = sys.openFileLimit();
        if (limit < options.leastOpenFiles()) {
            String few = limit + " open files are too few, " + options.leastOpenFiles() + " are needed";
            throw new ErrnoException(few, Errno.EMFILE);
        }
        return limit;
    }

    private void setOpenFileLimit(long files) throws ErrnoException {
        try {
            sys.setOpenFileLimit(files);
        } catch (ErrnoException e) {
            throw new ErrnoException("--rlimit-nofile=" + files + ": " + e.call(), e.errno());
        }
    }

    private PassthroughFs share() throws ErrnoException {
        long ofGuest = openFiles - options.ownOpenFiles();
        try {
            String directory = Confinement.enter(options, sys);
            return new PassthroughFs(sys, directory, options.fileSystem().withDescriptors(ofGuest), window);
        } catch (ErrnoException e) {
            listening.close();
            throw new ErrnoException("--shared-dir=" + options.sharedDir + ": " + e.call(), e.errno());
        }
    }

    /// Serves one front end after the other, or just the first.
    ///
    /// Who leaves without a word was no front end, but somebody who looked whether we live: another
    /// daemon does so that would like to have our socket.
    ///
    /// @throws ErrnoException if the socket fails
    /// @throws MalformedException if the only front end does not speak vhost-user
    void run() throws ErrnoException, MalformedException {
        LOG.log(
                System.Logger.Level.INFO,
                "sharing " + options.sharedDir + ", waiting for a front end; up to " + openFiles + " open files");
        boolean served = false;
        while (!served || options.keepListening) {
            served |= serve(accept());
        }
    }

    /// @return whether it was a front end
    private boolean serve(UnixSocket connected) throws ErrnoException, MalformedException {
        LOG.log(System.Logger.Level.INFO, "somebody has connected");
        try (Backend backend = new Backend(watch.tap(Connection.over(connected)), device, sys)) {
            boolean spoke = backend.run();
            LOG.log(System.Logger.Level.INFO, spoke ? "the front end has left" : "they have left without a word");
            return spoke;
        } catch (MalformedException | ErrnoException e) {
            if (!options.keepListening) {
                throw e;
            }
            LOG.log(System.Logger.Level.ERROR, "the front end is sent away: " + e.getMessage());
            return true;
        } finally {
            session.reset(); // the next guest knows nothing of what this one held
        }
    }

    private UnixSocket accept() throws ErrnoException {
        try {
            return listening.accept();
        } catch (ErrnoException e) {
            String where = options.fd == null ? "--socket-path=" + options.socketPath : "--fd=" + options.fd;
            throw new ErrnoException(where + ": " + e.call(), e.errno());
        }
    }

    /// Removes the socket, and makes sure that the capture is complete. For the end of the process:
    /// whatever else is open goes with it.
    @Override
    public void close() throws IOException {
        listening.close();
        watch.close();
    }
}
