package vitrine.guest.compare;

import java.nio.file.Path;
import java.time.Duration;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;

/// The guest of a rehearsal: asks a daemon for everything once that [Load] knows.
///
/// Run by the launcher after a build, against a daemon whose JVM keeps what it learns: which
/// classes there are, which branches are taken, what is worth compiling. Every later daemon begins
/// with that, and is quick after a few thousand requests instead of a hundred thousand.
final class Rehearsal {

    private static final Duration LONGEST_START = Duration.ofSeconds(20);

    private Rehearsal() {}

    /// @param arguments a socket on which a daemon is going to listen, and the empty folder that it
    ///     shares; when this process ends, the daemon's front end has left
    public static void main(String... arguments) throws Exception {
        Syscalls sys = new Syscalls(Libc.load());
        UnixSocket socket = connect(sys, Path.of(arguments[0]));
        ShareOfFiles.fill(Path.of(arguments[1]));
        try (RepeatingGuest guest = new RepeatingGuest(sys, socket)) {
            for (Load load : Load.all()) {
                try (Load.Ready ready = load.preparation().on(guest)) {
                    ready.run();
                }
            }
        }
    }

    private static UnixSocket connect(Syscalls sys, Path socket) throws ErrnoException, InterruptedException {
        long start = System.nanoTime();
        while (true) {
            try {
                return UnixSocket.connect(sys, socket);
            } catch (ErrnoException e) {
                if (System.nanoTime() - start > LONGEST_START.toNanos()) {
                    throw e;
                }
                Thread.sleep(10);
            }
        }
    }
}
