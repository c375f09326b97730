package vitrine.guest.hostile;

import java.io.IOException;
import java.util.Optional;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.posix.UnixSocket;

/// A daemon behind a socket, as far as one can see it from here.
interface Listener extends AutoCloseable {

    /// Connects, to a daemon that nobody has lied to, if there can be one.
    ///
    /// @return empty if nobody listens any more
    /// @throws GuestFailedException if nobody has ever listened
    Optional<UnixSocket> connect() throws GuestFailedException, IOException, InterruptedException;

    /// Whether it is worth waiting for an answer.
    boolean isThere();

    /// How it has ended just now, if it has and one can see how.
    Optional<Outcome> ending() throws InterruptedException;

    /// The front end has left.
    @Override
    void close();
}
