package vitrine.daemon;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import vitrine.fuse.FileSystem;
import vitrine.posix.Libc;
import vitrine.tap.TappedConnection;
import vitrine.tap.TappedDevice;
import vitrine.tap.TappedFileSystem;
import vitrine.tap.TappedLibc;
import vitrine.trace.Actor;
import vitrine.trace.CaptureWriter;
import vitrine.trace.Recorder;
import vitrine.trace.TraceClock;
import vitrine.vhostuser.Connection;
import vitrine.vhostuser.VirtioDevice;

/// Records everything in a capture file.
final class CaptureWatch implements Watch {

    private final CaptureWriter writer;
    private final Recorder recorder;

    /// @param file overwritten if it exists
    /// @param about what a reader of the capture should know of this run
    CaptureWatch(Path file, Map<String, String> about) throws IOException {
        writer = CaptureWriter.open(file, about);
        recorder = new Recorder(writer, TraceClock.wall(), Actor.DAEMON);
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
        writer.close();
    }
}
