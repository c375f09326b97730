package vitrine.passthrough.held;

import java.util.concurrent.atomic.AtomicLong;

/// How far the numbers are that a guest calls its files by. They are never used twice, also by a
/// daemon that the guest has moved to; and a file handle of the guest's, in which the generation
/// stands, outlives no session.
public final class Nodeids {

    private final AtomicLong last = new AtomicLong(InodeTable.ROOT);
    private final AtomicLong generation = new AtomicLong(System.currentTimeMillis());

    /// One that was never used.
    public long next() {
        return last.incrementAndGet();
    }

    /// The highest that was used.
    public long last() {
        return last.get();
    }

    /// Of the session that there is now.
    public long generation() {
        return generation.get();
    }

    /// Another session begins.
    void renew() {
        generation.updateAndGet(before -> Math.max(before + 1, System.currentTimeMillis()));
    }

    /// The guest comes from another daemon, which was that far.
    public void resume(long lastNodeid, long itsGeneration) {
        last.set(lastNodeid);
        generation.set(itsGeneration);
    }
}
