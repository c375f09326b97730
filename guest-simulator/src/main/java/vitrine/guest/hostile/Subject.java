package vitrine.guest.hostile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import vitrine.guest.driver.NoAnswerException;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;

/// A daemon that is lied to, again and again.
public final class Subject implements AutoCloseable {

    /// What ours, C and Rust are started with: extended attributes, and names that no rule is for.
    public static final String OPTIONS = "-o xattrmap=:prefix:all:trusted.:user.virtiofs.::ok:all:security.::";

    private final Syscalls sys;
    private final Listener daemon;
    private Session session; // null: the next lie begins one

    private Subject(Syscalls sys, Listener daemon) {
        this.sys = sys;
        this.daemon = daemon;
    }

    /// The program of a daemon to be lied to. A command line is taken as it is.
    ///
    /// @param choice see [DaemonProgram#of]
    public static DaemonProgram program(String choice) throws GuestFailedException, IOException, InterruptedException {
        boolean known = List.of("ours", "c", "rust").contains(choice);
        return DaemonProgram.of(choice, known ? OPTIONS : "");
    }

    /// A daemon of our own, started anew whenever a lie has ended it.
    ///
    /// @param folder an empty one, where its share and its sockets go
    public static Subject started(Syscalls sys, DaemonProgram program, Path folder) throws IOException {
        return new Subject(sys, new StartedDaemon(sys, program, folder));
    }

    /// A daemon that somebody else has started.
    public static Subject found(Syscalls sys, Path socket) {
        return new Subject(sys, new FoundDaemon(sys, socket));
    }

    /// Lies to it, and sends an honest request then.
    ///
    /// @throws GuestFailedException if it does not serve an honest guest to begin with
    public Outcome hear(Lie lie) throws GuestFailedException, IOException, InterruptedException {
        if (session == null && !begin()) {
            return Outcome.UNTRIED;
        }
        Outcome outcome = session.then(lie.telling().to(session));
        if (outcome.kind() == Outcome.Kind.SILENT) {
            outcome = daemon.ending().orElse(outcome);
        }
        if (outcome.kind() != Outcome.Kind.FINE) {
            end();
        }
        return outcome;
    }

    private boolean begin() throws GuestFailedException, IOException, InterruptedException {
        Optional<UnixSocket> socket = daemon.connect();
        if (socket.isEmpty()) {
            return false;
        }
        try {
            session = Session.begin(sys, socket.get(), daemon::isThere);
            return true;
        } catch (FrontendException | NoAnswerException | ErrnoException e) {
            throw new GuestFailedException("an honest guest is not served: " + e.getMessage());
        }
    }

    private void end() {
        if (session != null) {
            session.close();
            session = null;
        }
        daemon.close();
    }

    @Override
    public void close() {
        end();
    }
}
