package vitrine.session;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongSupplier;
import vitrine.fuse.Opcode;

/// Replies that are ready, and for which the driver is called once.
///
/// An interrupt costs the host about half of a small request, so replies that are ready together
/// share one. But none of them is to wait for a request that takes its time. Which one will is not
/// known beforehand; that the last of its kind did is a good guess, be it for a disk, a network or
/// the size of its data.
final class Batch {

    /// How long a reply may wait while later requests are served, in nanoseconds.
    static final long LONGEST_WAIT = 20_000;

    private final LongSupplier clock;
    private final Set<Opcode> slow = EnumSet.noneOf(Opcode.class); // the last one of that kind was
    private Opcode serving; // null: none that is known
    private long since; // when that began; 0: not known
    private long oldest; // when the first reply of the batch was ready; 0: none is

    /// @param clock in nanoseconds
    Batch(LongSupplier clock) {
        this.clock = clock;
        for (Opcode opcode : Opcode.values()) {
            if (opcode.mayTakeLong()) {
                slow.add(opcode);
            }
        }
    }

    /// There was nothing to do for a while.
    void begin() {
        since = 0;
    }

    /// Whether to call before a request is served.
    ///
    /// @param next null for one that nobody knows
    boolean endsBefore(Opcode next) {
        serving = next;
        return oldest != 0 && next != null && slow.contains(next);
    }

    /// Whether to call now that the request has been served.
    boolean endsNow() {
        long now = clock.getAsLong();
        if (serving != null && since != 0) {
            learn(now - since);
        }
        serving = null;
        since = now;
        oldest = oldest == 0 ? now : oldest;
        return now - oldest > LONGEST_WAIT;
    }

    private void learn(long time) {
        if (time > LONGEST_WAIT) {
            slow.add(serving);
        } else {
            slow.remove(serving);
        }
    }

    /// The driver has been called.
    void called() {
        oldest = 0;
        since = clock.getAsLong(); // not the next one's fault
    }
}
