package vitrine.guest.workload.fio;

/// What was moved in one direction.
final class Flow {

    private static final long WINDOW = 500_000_000; // fio looks twice a second

    final Latency submission = new Latency();
    final Latency completion = new Latency();
    final Latency total = new Latency();
    Samples bandwidth = new Samples(); // KiB a second
    Samples rate = new Samples(); // I/Os a second
    long ios;
    long bytes;
    long cutShort;
    long millis; // how long it was moved

    private long windowStart;
    private long windowBytes;
    private long windowIos;

    /// Numbers that were seen from time to time.
    record Samples(double least, double most, double sum, double squares, long count) {

        Samples() {
            this(0, 0, 0, 0, 0);
        }

        Samples and(double value) {
            return new Samples(
                    count == 0 ? value : Math.min(least, value),
                    Math.max(most, value),
                    sum + value,
                    squares + value * value,
                    count + 1);
        }

        /// Of several processes at the same time, all together.
        Samples beside(Samples other) {
            if (count == 0 || other.count == 0) {
                return count == 0 ? other : this;
            }
            double mean = mean() + other.mean();
            long seen = Math.max(count, other.count);
            double deviation = Math.max(deviation(), other.deviation());
            double all = mean * seen;
            return new Samples(
                    least + other.least,
                    most + other.most,
                    all,
                    all * all / seen + deviation * deviation * Math.max(0, seen - 1),
                    seen);
        }

        double mean() {
            return count == 0 ? 0 : sum / count;
        }

        double deviation() {
            return count < 2 ? 0 : Math.sqrt(Math.max(0, (squares - sum * sum / count) / (count - 1)));
        }
    }

    /// Begins to look at the clock.
    void start(long now) {
        windowStart = windowStart == 0 ? now : windowStart;
    }

    void add(Io io, int wanted, FioJob.Report report, boolean waits) {
        ios++;
        bytes += io.moved;
        cutShort += io.moved < wanted ? 1 : 0;
        if (report.submission() && !waits) {
            submission.add(io.issued - io.started);
        }
        if (report.completion()) {
            completion.add(io.done - io.issued);
        }
        if (report.total()) {
            total.add(io.done - io.started);
        }
        if (report.bandwidth()) {
            sample(io.done, io.moved);
        }
    }

    private void sample(long now, int moved) {
        windowBytes += moved;
        windowIos++;
        long passed = now - windowStart;
        if (passed >= WINDOW) {
            bandwidth = bandwidth.and(windowBytes * 1e9 / 1024 / passed);
            rate = rate.and(windowIos * 1e9 / passed);
            windowStart = now;
            windowBytes = 0;
            windowIos = 0;
        }
    }

    /// What another process has moved at the same time.
    void add(Flow other) {
        submission.add(other.submission);
        completion.add(other.completion);
        total.add(other.total);
        bandwidth = bandwidth.beside(other.bandwidth);
        rate = rate.beside(other.rate);
        ios += other.ios;
        bytes += other.bytes;
        cutShort += other.cutShort;
        millis = Math.max(millis, other.millis);
    }

    /// Bytes a second.
    long bytesPerSecond() {
        return millis == 0 ? 0 : bytes * 1000 / millis;
    }

    /// I/Os a second.
    double perSecond() {
        return millis == 0 ? 0 : ios * 1000.0 / millis;
    }
}
