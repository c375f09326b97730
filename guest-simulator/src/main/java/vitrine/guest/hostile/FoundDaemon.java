package vitrine.guest.hostile;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;

/// A daemon that somebody else has started, and may start again when it has ended.
final class FoundDaemon implements Listener {

    private static final long SECONDS_TO_COME_BACK = 3;

    private final Syscalls sys;
    private final Path socket;
    private boolean wasThere;

    FoundDaemon(Syscalls sys, Path socket) {
        this.sys = sys;
        this.socket = socket;
    }

    @Override
    public Optional<UnixSocket> connect() throws GuestFailedException, InterruptedException {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_COME_BACK);
        while (true) {
            try {
                UnixSocket connected = UnixSocket.connect(sys, socket);
                wasThere = true;
                return Optional.of(connected);
            } catch (ErrnoException e) {
                if (!wasThere) {
                    throw new GuestFailedException(e.getMessage());
                }
                if (System.nanoTime() > giveUp) {
                    return Optional.empty();
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    /// That the connection is there is all that can be known, and somebody else looks at it.
    @Override
    public boolean isThere() {
        return true;
    }

    @Override
    public Optional<Outcome> ending() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
