package vitrine.vhostuser;

import java.util.Optional;
import vitrine.posix.ErrnoException;
import vitrine.vhostuser.message.BackendMessage;
import vitrine.wire.MalformedException;

/// The second socket, on which the back end asks and the front end answers
/// (vhost-user: "Back-end communication"). What watches the control messages wraps it.
public interface BackendChannel extends AutoCloseable {

    /// Sends a message; the answer comes later, in the order in which messages were sent.
    ///
    /// @throws ErrnoException if the host cannot send, EPIPE if the front end left
    void send(BackendMessage message) throws ErrnoException;

    /// Waits for the next answer.
    ///
    /// @return 0 if the message was obeyed; empty if the front end gave up the socket
    /// @throws MalformedException if what came is no answer; the socket is of no more use
    /// @throws ErrnoException if the host cannot receive
    Optional<Long> answer() throws MalformedException, ErrnoException;

    /// Ends the conversation, and an [#answer] under way, from any thread.
    void shutdown();

    /// Closes the socket, which nobody uses any more.
    @Override
    void close();
}
