package vitrine.vhostuser;

import java.util.Optional;
import vitrine.posix.ErrnoException;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.message.BackendMessage;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.Payload;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// The second socket as it is when nobody watches. One thread may send while another waits for
/// answers.
final class SocketChannel implements BackendChannel {

    private final UnixSocket socket;
    private final FrameStream stream;

    SocketChannel(UnixSocket socket) {
        this.socket = socket;
        this.stream = new FrameStream(socket);
    }

    @Override
    public void send(BackendMessage message) throws ErrnoException {
        stream.send(message.toFrame());
    }

    @Override
    public Optional<Long> answer() throws MalformedException, ErrnoException {
        Optional<Frame> arrived = stream.receive();
        if (arrived.isEmpty()) {
            return Optional.empty();
        }
        Frame frame = arrived.get();
        frame.closeFds(); // no answer has any
        if (!frame.header().isReply()) {
            throw new MalformedException(
                    "message %d where only answers are".formatted(frame.header().request()));
        }
        return Optional.of(
                Payload.Number.decode(new WireReader(frame.payload())).value());
    }

    @Override
    public void shutdown() {
        socket.shutdown();
    }

    @Override
    public void close() {
        stream.close();
    }
}
