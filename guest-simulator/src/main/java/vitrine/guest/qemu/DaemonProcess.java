package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A daemon that was started.
public final class DaemonProcess implements ShareServer.Running {

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

    @Override
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

    @Override
    public void whenEnded(Runnable then) {
        part.process().onExit().thenRun(then);
    }

    /// The status it ended with, if it does so within this time; the JDK reports a signal as 128 +
    /// its number.
    public OptionalInt statusWithin(long millis) throws InterruptedException {
        return part.process().waitFor(millis, TimeUnit.MILLISECONDS)
                ? OptionalInt.of(part.process().exitValue())
                : OptionalInt.empty();
    }

    @Override
    public String ending() throws InterruptedException {
        return part.ending();
    }

    @Override
    public String lastWords() {
        return part.lastWords();
    }

    @Override
    public int waitFor() throws InterruptedException {
        return part.waitFor();
    }

    /// Ends it: first politely, then not.
    @Override
    public void close() {
        part.close();
    }
}
