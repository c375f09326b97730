package vitrine.vhostuser;

import java.util.Optional;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.MessageHeader;
import vitrine.vhostuser.message.Payload;
import vitrine.wire.MalformedException;

/// The back end's end of the socket, in messages. What watches the control messages wraps it.
public interface Connection extends AutoCloseable {

    /// A message as it came.
    ///
    /// @param header with it, whether the front end asks for an acknowledgement
    /// @param message what it says; the receiver owns its file descriptors
    record Received(MessageHeader header, FrontendMessage message) {}

    /// The connection over a socket, which it takes over.
    static Connection over(UnixSocket socket) {
        return new SocketConnection(new FrameStream(socket));
    }

    /// Waits for the next message.
    ///
    /// @return empty if the front end left
    /// @throws MalformedException if what came is no message; the connection is of no more use
    /// @throws ErrnoException if the host cannot receive
    Optional<Received> receive() throws MalformedException, ErrnoException;

    /// Answers a message. The front end waits for the answer and does nothing else meanwhile.
    ///
    /// @param received what is answered
    /// @param answer [Payload.Number] 0 or 1 if it was an acknowledgement that was asked for
    /// @throws ErrnoException if the host cannot send, EPIPE if the front end left
    void reply(Received received, Payload answer) throws ErrnoException;

    /// The second socket, on which the back end asks.
    ///
    /// @param socket as the front end handed it over; taken over
    default BackendChannel channel(Syscalls sys, Fd socket) {
        return new SocketChannel(UnixSocket.adopt(sys, socket));
    }

    /// Closes the socket. A [#receive] under way need not notice.
    @Override
    void close();
}
