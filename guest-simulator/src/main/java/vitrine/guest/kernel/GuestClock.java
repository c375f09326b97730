package vitrine.guest.kernel;

import java.time.Instant;
import vitrine.posix.Timespec;

/// The guest's time: what timeouts run out by, and what a file is stamped with when the guest
/// stamps it.
///
/// Nothing in the guest's kernel looks at the host's clock but by this, so that a test, or a time
/// that is only reckoned, can let a second pass at once.
public interface GuestClock {

    /// The host's time, as it passes.
    GuestClock HOST = () -> {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    };

    /// Nanoseconds since 1970.
    long nanos();

    /// The same, as files are stamped with it.
    default Timespec now() {
        long nanos = nanos();
        return new Timespec(Math.floorDiv(nanos, 1_000_000_000L), (int) Math.floorMod(nanos, 1_000_000_000L));
    }
}
