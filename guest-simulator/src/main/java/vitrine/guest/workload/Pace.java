package vitrine.guest.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// How fast something went, from its beginning to its end: a look at a counter again and again.
///
/// A long run is looked at less often, so that it takes no more room than a short one.
public final class Pace implements AutoCloseable {

    private static final int MOST = 400; // looks that are kept

    private final LongSupplier counter;
    private final List<Look> looks = new ArrayList<>(); // only the looker's, until it has ended
    private final Thread looker;
    private long millis = 5; // between two looks

    private record Look(long nanos, long count) {}

    /// What a stretch of time was worth.
    ///
    /// @param second when it ended
    /// @param rate the counter's steps in a second
    public record Stretch(double second, double rate) {}

    private Pace(LongSupplier counter) {
        this.counter = counter;
        looks.add(look());
        looker = Thread.ofPlatform().daemon().name("pace").start(this::watch);
    }

    /// Begins to look at a counter that only grows.
    public static Pace of(LongSupplier counter) {
        return new Pace(counter);
    }

    private Look look() {
        return new Look(System.nanoTime(), counter.getAsLong());
    }

    private void watch() {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(millis);
                looks.add(look());
                if (looks.size() == MOST) {
                    for (int each = 1; each < looks.size(); each++) {
                        looks.remove(each); // every second one
                    }
                    millis *= 2;
                }
            }
        } catch (InterruptedException _) {
            looks.add(look());
        }
    }

    /// Ends it.
    @Override
    public void close() {
        looker.interrupt();
        try {
            looker.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// What was seen until it was closed.
    public List<Stretch> stretches() {
        List<Stretch> stretches = new ArrayList<>();
        for (int i = 1; i < looks.size(); i++) {
            long nanos = Math.max(1, looks.get(i).nanos - looks.get(i - 1).nanos);
            double second = (looks.get(i).nanos - looks.getFirst().nanos) / 1e9;
            stretches.add(new Stretch(second, (looks.get(i).count - looks.get(i - 1).count) * 1e9 / nanos));
        }
        return stretches;
    }
}
