package vitrine.daemon;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import vitrine.fuse.FileSystem;
import vitrine.posix.Libc;
import vitrine.tap.TappedConnection;
import vitrine.tap.TappedDevice;
import vitrine.tap.TappedFileSystem;
import vitrine.tap.TappedLibc;
import vitrine.trace.Actor;
import vitrine.trace.CaptureServer;
import vitrine.trace.CaptureWriter;
import vitrine.trace.Recorder;
import vitrine.trace.Trace;
import vitrine.trace.TraceClock;
import vitrine.vhostuser.Connection;
import vitrine.vhostuser.VirtioDevice;

/// Tells everything to a capture file, to whoever connects to a socket, or to both.
final class CaptureWatch implements Watch {

    private final List<Closeable> captures;
    private final Recorder recorder;

    private CaptureWatch(List<Closeable> captures, Trace trace) {
        this.captures = captures;
        recorder = new Recorder(trace, TraceClock.wall(), Actor.DAEMON);
    }

    /// The watch that was asked for; nobody if nothing was.
    ///
    /// @param file overwritten if it exists; null for none
    /// @param socket where viewers connect; null for none
    /// @param about what a reader of the capture should know of this run
    static Watch of(Path file, Path socket, Map<String, String> about) throws IOException {
        CaptureWriter writer = file == null ? null : CaptureWriter.open(file, about);
        if (socket == null) {
            return writer == null ? Watch.NOBODY : new CaptureWatch(List.of(writer), writer);
        }
        CaptureServer server = CaptureServer.listen(socket, about);
        if (writer == null) {
            return new CaptureWatch(List.of(server), server);
        }
        return new CaptureWatch(List.of(writer, server), event -> {
            writer.add(event);
            server.add(event);
        });
    }

    @Override
    public Libc tap(Libc libc) {
        return TappedLibc.tap(libc, recorder);
    }

    @Override
    public FileSystem tap(FileSystem fileSystem) {
        return new TappedFileSystem(fileSystem, recorder);
    }

    @Override
    public VirtioDevice tap(VirtioDevice device) {
        return new TappedDevice(device, recorder);
    }

    @Override
    public Connection tap(Connection connection) {
        return new TappedConnection(connection, recorder);
    }

    @Override
    public void close() throws IOException {
        for (Closeable capture : captures) {
            capture.close();
        }
    }
}
