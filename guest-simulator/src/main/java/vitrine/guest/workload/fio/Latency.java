package vitrine.guest.workload.fio;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/// How long things took, in nanoseconds.
final class Latency {

    /// The percentiles that fio prints.
    static final double[] PERCENTILES = {1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};

    private static final int DIGITS = 3;

    private final Histogram histogram = new Histogram(DIGITS);
    private long least = Long.MAX_VALUE;
    private long most;
    private double sum;
    private double squares;

    void add(long nanos) {
        long time = Math.max(0, nanos);
        histogram.recordValue(time);
        least = Math.min(least, time);
        most = Math.max(most, time);
        sum += time;
        squares += (double) time * time;
    }

    void add(Latency other) {
        histogram.add(other.histogram);
        least = Math.min(least, other.least);
        most = Math.max(most, other.most);
        sum += other.sum;
        squares += other.squares;
    }

    /// All of them.
    Histogram histogram() {
        return histogram;
    }

    long count() {
        return histogram.getTotalCount();
    }

    long least() {
        return count() == 0 ? 0 : least;
    }

    long most() {
        return most;
    }

    double mean() {
        return count() == 0 ? 0 : sum / count();
    }

    /// Of a sample, as fio has it.
    double deviation() {
        long n = count();
        return n < 2 ? 0 : Math.sqrt(Math.max(0, (squares - sum * sum / n) / (n - 1)));
    }

    /// One for each of [#PERCENTILES].
    long[] percentiles() {
        return Arrays.stream(PERCENTILES)
                .mapToLong(histogram::getValueAtPercentile)
                .toArray();
    }
}
