package vitrine.guest.kernel;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that stands still until somebody turns it.
public final class SetClock implements GuestClock {

    private final AtomicLong nanos;

    /// @param nanos the time that it shows first, in nanoseconds since 1970
    public SetClock(long nanos) {
        this.nanos = new AtomicLong(nanos);
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    /// Lets time pass.
    public void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
