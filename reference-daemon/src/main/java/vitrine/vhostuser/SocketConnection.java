package vitrine.vhostuser;

import java.util.List;
import java.util.Optional;
import vitrine.posix.ErrnoException;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;

/// A connection as it is when nobody watches: frames in, values out, and back.
final class SocketConnection implements Connection {

    private final FrameStream stream;

    SocketConnection(FrameStream stream) {
        this.stream = stream;
    }

    @Override
    public Optional<Received> receive() throws MalformedException, ErrnoException {
        Optional<Frame> arrived = stream.receive();
        if (arrived.isEmpty()) {
            return Optional.empty();
        }
        Frame frame = arrived.get();
        if (frame.header().isReply()) {
            frame.closeFds();
            throw new MalformedException("an answer to message %d, which nobody sent"
                    .formatted(frame.header().request()));
        }
        return Optional.of(new Received(frame.header(), FrontendMessage.decode(frame)));
    }

    @Override
    public void reply(Received received, Payload answer) throws ErrnoException {
        Buffers bytes = FrontendMessage.encode(answer);
        stream.send(new Frame(received.header().reply((int) bytes.size()), bytes, List.of()));
    }

    @Override
    public void close() {
        stream.close();
    }
}
