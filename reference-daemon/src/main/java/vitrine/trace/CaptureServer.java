package vitrine.trace;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/// A trace that goes to whoever connects to a socket, while it happens.
///
/// Each viewer gets a capture of its own, which begins when it connects, through a bounded queue of
/// its own ([CaptureWriter]): one that reads slowly loses events and is told how many, and neither
/// the guest nor another viewer waits for it. Only this user's processes are let in, and root's.
public final class CaptureServer implements Trace, Closeable {

    private static final int MOST_VIEWERS = 8;
    private static final long FAREWELL_IN_MILLIS = 1000;
    private static final long PAUSE_IN_MILLIS = 10;

    private record Viewer(SocketChannel channel, CaptureWriter writer) {}

    private final Path socket;
    private final Map<String, String> about;
    private final ServerSocketChannel listening;
    private final Thread accepting;
    private final List<Viewer> viewers = new CopyOnWriteArrayList<>();

    private CaptureServer(Path socket, Map<String, String> about, ServerSocketChannel listening) {
        this.socket = socket;
        this.about = Map.copyOf(about);
        this.listening = listening;
        this.accepting = Thread.ofPlatform().daemon().name("capture-socket").unstarted(this::accept);
    }

    /// Listens on a socket; one that a dead process has left behind is replaced.
    ///
    /// @throws IOException if that cannot be done, or somebody listens there already
    public static CaptureServer listen(Path socket, Map<String, String> about) throws IOException {
        try {
            removeIfDead(socket);
            ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listening.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            CaptureServer server = new CaptureServer(socket, about, listening);
            server.accepting.start();
            return server;
        } catch (IOException e) {
            throw new IOException(socket + ": " + e.getMessage(), e);
        }
    }

    private static void removeIfDead(Path socket) throws IOException {
        if (!Files.exists(socket)) {
            return;
        }
        if (Files.isRegularFile(socket) || Files.isDirectory(socket)) {
            throw new IOException("is there, and is no socket");
        }
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            throw new IOException("already in use");
        } catch (ConnectException _) {
            Files.delete(socket);
        }
    }

    @Override
    public void add(TraceEvent event) {
        for (Viewer viewer : viewers) {
            viewer.writer().add(event);
        }
    }

    /// How many look on.
    public int viewers() {
        return viewers.size();
    }

    /// Lets viewers in until the socket is closed, and removes it then: whoever closes it may live
    /// in a sandbox by now, where its path leads elsewhere.
    private void accept() {
        while (listening.isOpen()) {
            try {
                SocketChannel channel = listening.accept();
                if (viewers.size() < MOST_VIEWERS && isOneOfUs(channel)) {
                    Thread.ofPlatform().daemon().name("capture-viewer").start(() -> serve(channel));
                } else {
                    channel.close();
                }
            } catch (IOException _) {
                pause(); // closed, or out of descriptors for a while
            }
        }
        try {
            Files.deleteIfExists(socket);
        } catch (IOException _) {
            // Somebody else has removed its folder.
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_IN_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// A process may have connected before the socket was closed to strangers.
    private static boolean isOneOfUs(SocketChannel channel) throws IOException {
        UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
        String user = peer.user().getName();
        return user.equals(System.getProperty("user.name")) || user.equals("root");
    }

    /// Stays with a viewer until it leaves.
    private void serve(SocketChannel channel) {
        try (channel) {
            CaptureWriter writer =
                    new CaptureWriter(Channels.newOutputStream(channel), CaptureWriter.DEFAULT_CAPACITY, about);
            Viewer viewer = new Viewer(channel, writer);
            viewers.add(viewer);
            try {
                awaitEnd(channel);
            } finally {
                viewers.remove(viewer);
                channel.close(); // before the writer, which may be in the middle of a write
                writer.close();
            }
        } catch (IOException _) {
            // It has left, without reading everything.
        }
    }

    /// A viewer has nothing to say, so what arrives is the end.
    private static void awaitEnd(SocketChannel channel) throws IOException {
        ByteBuffer ignored = ByteBuffer.allocate(64);
        while (channel.read(ignored) >= 0) {
            ignored.clear();
        }
    }

    /// Lets everybody have what is still under way, for a moment, and closes the socket.
    @Override
    public void close() throws IOException {
        listening.close();
        Thread farewell = Thread.ofPlatform()
                .daemon()
                .name("capture-end")
                .start(() -> viewers.forEach(viewer -> {
                    try {
                        viewer.writer().close();
                    } catch (IOException _) {
                        // It has left.
                    }
                }));
        try {
            accepting.join(FAREWELL_IN_MILLIS);
            farewell.join(FAREWELL_IN_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        for (Viewer viewer : viewers) {
            viewer.channel().close();
        }
    }
}
