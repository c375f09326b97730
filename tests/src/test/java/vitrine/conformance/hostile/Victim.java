package vitrine.conformance.hostile;

import java.nio.file.Path;
import java.time.Duration;
import vitrine.guest.hostile.LyingDriver;

/// A device that is lied to.
interface Victim extends AutoCloseable {

    /// How long an answer may take.
    Duration PATIENCE = Duration.ofSeconds(20);

    /// Guest memory begins at 0; at [#SEAM] a second region follows the first without a gap.
    long SEAM = 1L << 20;

    /// Where guest memory ends.
    long RAM_END = 8L << 20;

    /// Entries of each queue.
    int QUEUE_SIZE = 128;

    /// Which device.
    enum Kind {
        /// The queue worker on the test's own thread.
        STEPPED,
        /// The daemon's process.
        DAEMON;

        /// Where the share lies: the process has had its own since it was started.
        Path tree(Path temporary) {
            return switch (this) {
                case STEPPED -> temporary;
                case DAEMON -> SharedDaemon.tree();
            };
        }

        Victim serving(Path share) throws Exception {
            return switch (this) {
                case STEPPED -> new SteppedVictim(share);
                case DAEMON -> new DaemonVictim(SharedDaemon.process());
            };
        }
    }

    /// A queue: 0 is hiprio.
    LyingDriver queue(int index);

    /// Whether the device has said that it will not serve the queue any more. Waits a while for it.
    boolean isGivenUp(int index);

    /// Stops a queue, puts its available index back to where the device was, and starts it again.
    void restart(int index);

    /// How many descriptors the device holds.
    long descriptors();

    @Override
    void close();
}
