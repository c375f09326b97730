package vitrine.guest.workload.fio;

import java.util.Arrays;
import java.util.stream.LongStream;

/// How much was moved in each half second of a process's run.
public final class Windows {

    private static final long WINDOW = 500_000_000; // fio looks twice a second
    private static final long SLACK = 10_000_000; // and takes this for a whole one

    private final long start;
    private long[] amounts = new long[8];

    /// @param start when the run began, in nanoseconds
    public Windows(long start) {
        this.start = start;
    }

    /// So much was moved, and was there at that moment.
    public void add(long moment, long amount) {
        int window = (int) (Math.max(0, moment - start) / WINDOW);
        if (window >= amounts.length) {
            amounts = Arrays.copyOf(amounts, Math.max(window + 1, 2 * amounts.length));
        }
        amounts[window] += amount;
    }

    /// How much a second in each window, so that their mean is about what the run came to. A run
    /// of less than a window has none, as in fio.
    ///
    /// fio leaves out a window in which nothing came, and what comes after the last whole one: if
    /// many I/Os under way end together, its mean is far from its result. Here the one counts as 0,
    /// and the other belongs to the window before it.
    ///
    /// @param end of the run
    public Samples perSecond(long end) {
        int whole = (int) ((end - start + SLACK) / WINDOW);
        long[] all = Arrays.copyOf(amounts, Math.max(whole, amounts.length)); // also those with nothing at the end
        Samples samples = Samples.NONE;
        for (int i = 0; i < whole; i++) {
            boolean last = i == whole - 1;
            int next = last ? all.length : i + 1;
            long amount = LongStream.of(Arrays.copyOfRange(all, i, next)).sum();
            long nanos = last ? end - start - i * WINDOW : WINDOW;
            samples = samples.and(amount * 1e9 / nanos);
        }
        return samples.most() > 0 ? samples : Samples.NONE;
    }
}
