package vitrine.guest.frontend;

import java.util.List;
import java.util.Optional;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.MessageHeader;
import vitrine.vhostuser.message.Payload;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// Questions and answers over the socket, checked as strictly as QEMU does.
///
/// One at a time: who asks has the lock of this object until the answer is there, and may keep it
/// for several questions.
final class Conversation implements AutoCloseable {

    /// The answer to whatever was sent, flags and all; QEMU takes no other.
    private static final int ANSWER = MessageHeader.VERSION | MessageHeader.REPLY;

    private final Syscalls sys;
    private final UnixSocket socket;
    private final FrameStream stream;
    private final Manners manners;
    private boolean mayAsk;

    /// Reads an answer's payload.
    interface Decoder<P extends Payload> {
        P decode(WireReader in) throws MalformedException;
    }

    Conversation(Syscalls sys, UnixSocket socket, FrontendOptions options) {
        this.sys = sys;
        this.socket = socket;
        this.stream = new FrameStream(socket, sys, options.patience());
        this.manners = options.manners();
    }

    /// Says whether [vitrine.vhostuser.Features#REPLY_ACK] was settled.
    void mayAskForAcknowledgement(boolean settled) {
        mayAsk = settled;
    }

    /// Whether the other end is there. It never speaks first on this socket: what can be read while
    /// nothing was asked is its end.
    boolean isConnected() {
        try {
            return sys.poll(List.of(socket.fd()), 0) == 0;
        } catch (ErrnoException _) {
            return false;
        }
    }

    /// Sends a message that has no answer of its own, and waits until it is done where the manners
    /// are such.
    synchronized void tell(FrontendMessage message) throws FrontendException {
        boolean asks = mayAsk && manners.asks(message);
        send(message, asks);
        if (!asks) {
            return;
        }
        long refused = answer(message, Payload.Number::decode).value();
        if (refused != 0) {
            throw new FrontendException("the back end refused " + message.request() + " with " + refused);
        }
    }

    /// Sends a message and waits for its answer.
    synchronized <P extends Payload> P ask(FrontendMessage message, Decoder<P> decoder) throws FrontendException {
        send(message, false);
        return answer(message, decoder);
    }

    /// Sends a message and waits for its answer, a number.
    long askNumber(FrontendMessage message) throws FrontendException {
        return ask(message, Payload.Number::decode).value();
    }

    @Override
    public void close() {
        stream.close();
    }

    private void send(FrontendMessage message, boolean needReply) throws FrontendException {
        try {
            stream.send(message.toFrame(needReply));
        } catch (ErrnoException e) {
            throw new FrontendException("sending " + message.request(), e);
        }
    }

    private <P extends Payload> P answer(FrontendMessage message, Decoder<P> decoder) throws FrontendException {
        String what = "the answer to " + message.request();
        try {
            Optional<Frame> arrived = stream.receive();
            if (arrived.isEmpty()) {
                throw new FrontendException("instead of " + what + ": the back end left");
            }
            Frame frame = arrived.get();
            frame.closeFds(); // no answer that is understood here has any
            MessageHeader header = frame.header();
            if (header.request() != message.number() || header.flags() != ANSWER) {
                throw new FrontendException("instead of " + what + ": " + header);
            }
            WireReader in = new WireReader(frame.payload());
            P answer = decoder.decode(in);
            if (in.remaining() != 0) {
                throw new FrontendException(what + " has " + in.remaining() + " bytes too many");
            }
            return answer;
        } catch (MalformedException | ErrnoException e) {
            throw new FrontendException(what, e);
        }
    }
}
