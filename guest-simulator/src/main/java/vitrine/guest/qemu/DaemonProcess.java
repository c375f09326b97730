package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A daemon that was started.
public final class DaemonProcess implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofSeconds(20);
    private static final Part.Title TITLE = new Part.Title("the daemon", "the daemon's output");

    private final Path socket;
    private final Part part;

    private DaemonProcess(Path socket, Part part) {
        this.socket = socket;
        this.part = part;
    }

    /// Starts a daemon.
    ///
    /// @param socket a path where there is nothing yet
    /// @param directory what it is to share
    /// @param log gets each line that it writes
    public static DaemonProcess start(DaemonProgram program, Path socket, Path directory, Consumer<String> log)
            throws GuestFailedException {
        return new DaemonProcess(socket, Part.start(TITLE, program.command(socket, directory), log));
    }

    /// Waits until one can connect.
    ///
    /// @throws GuestFailedException with its last words, if it does not come so far
    public void awaitListening() throws GuestFailedException, IOException, InterruptedException {
        Instant giveUp = Instant.now().plus(LONGEST_START);
        while (!DaemonProgram.isListening(socket)) {
            if (!part.process().isAlive()) {
                throw new GuestFailedException(part.ending());
            }
            if (Instant.now().isAfter(giveUp)) {
                throw new GuestFailedException("the daemon does not listen on its socket after "
                        + LONGEST_START.toSeconds() + " s\n" + part.lastWords());
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /// Its process.
    public ProcessHandle process() {
        return part.process().toHandle();
    }

    /// How it ended, with its last words; waits until it has.
    public String ending() throws InterruptedException {
        return part.ending();
    }

    /// Its last words, quoted for a message; or that there were none.
    String lastWords() {
        return part.lastWords();
    }

    /// Waits for it to end by itself: its status, or -1 if it stays.
    int waitFor() throws InterruptedException {
        return part.waitFor();
    }

    /// Ends it: first politely, then not.
    @Override
    public void close() {
        part.close();
    }
}
