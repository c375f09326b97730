package vitrine.guest.qemu;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/// The host's end of one of the guest's serial ports: a socket that QEMU connects to.
final class GuestPort implements AutoCloseable {

    private static final int PIECE = 64 << 10; // bytes copied at once

    /// What is done with a connected port, on a thread of its own.
    @FunctionalInterface
    interface Use {
        void with(SocketChannel connection) throws IOException;
    }

    private final int number;
    private final Path path;
    private final ServerSocketChannel listening;
    private Thread thread;

    /// @param number its number in the guest, from 1; `folder` is where the socket's file is made
    GuestPort(int number, Path folder) throws IOException {
        this.number = number;
        this.path = folder.resolve("port" + number);
        this.listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listening.bind(UnixDomainSocketAddress.of(path), 1);
    }

    int number() {
        return number;
    }

    Path path() {
        return path;
    }

    /// Waits for QEMU in the background, and then uses the port until it is done.
    void start(Use use) {
        thread = Thread.ofPlatform().daemon().name("guest-port-" + number).start(() -> {
            try (SocketChannel connection = listening.accept()) {
                use.with(connection);
            } catch (IOException _) {
                // QEMU has gone, or never came; GuestRun sees that too, and knows more about it
            }
        });
    }

    /// Copies what the guest writes, as it comes, until QEMU ends.
    static Use copyTo(OutputStream out) {
        return connection -> {
            InputStream in = Channels.newInputStream(connection);
            byte[] piece = new byte[PIECE];
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                out.write(piece, 0, n);
                out.flush();
            }
        };
    }

    /// Gives the guest all of a stream to read, and then an end of file.
    static Use copyFrom(InputStream in) {
        return connection -> {
            byte[] piece = new byte[PIECE];
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                for (ByteBuffer rest = ByteBuffer.wrap(piece, 0, n); rest.hasRemaining(); ) {
                    connection.write(rest);
                }
            }
            connection.shutdownOutput();
            // Closed at once, the port would be gone before the guest has read what is on its way.
            Channels.newInputStream(connection).transferTo(OutputStream.nullOutputStream());
        };
    }

    /// Waits until all that the guest wrote was handed on; QEMU has ended before.
    void drain() throws InterruptedException {
        thread.join(1000);
    }

    @Override
    public void close() throws IOException {
        listening.close(); // ends a thread that still waits for QEMU
    }
}
