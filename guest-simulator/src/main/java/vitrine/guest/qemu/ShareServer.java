package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/// What serves the share of a guest: another program ([DaemonProgram]), or whoever speaks
/// vhost-user.
public interface ShareServer {

    /// Begins to listen.
    ///
    /// @param socket a path where there is nothing yet
    /// @param directory what it is to share
    /// @param log gets each line that it has to say
    Running start(Path socket, Path directory, Consumer<String> log) throws GuestFailedException, IOException;

    /// What it is, in short, for people.
    String shown(Path directory);

    /// One that was started.
    interface Running extends AutoCloseable {

        /// Waits until one can connect.
        ///
        /// @throws GuestFailedException with its last words, if it does not come so far
        void awaitListening() throws GuestFailedException, IOException, InterruptedException;

        /// Does something as soon as it has ended, on a thread of its own.
        void whenEnded(Runnable then);

        /// How it ended, with its last words; waits until it has.
        String ending() throws InterruptedException;

        /// Its last words, quoted for a message; or that there were none.
        String lastWords();

        /// Waits for it to end by itself: its status, or -1 if it stays.
        int waitFor() throws InterruptedException;

        /// Ends it.
        @Override
        void close();
    }
}
