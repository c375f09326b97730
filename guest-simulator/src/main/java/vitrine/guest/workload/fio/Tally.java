package vitrine.guest.workload.fio;

import vitrine.posix.ErrnoException;

/// What a process of a job has done, or all of them.
final class Tally {

    final Flow read = new Flow();
    final Flow write = new Flow();
    final Latency sync = new Latency();

    /// How many were under way when one was added: 1, 2 to 3, 4 to 7, and so on up to 64 and more.
    final long[] depths = new long[7];

    /// The same for how they are handed over: each in a call of its own.
    static final long[] ONE_BY_ONE = {0, 1, 0, 0, 0, 0, 0};

    /// How many were taken back at once: 0, 1 to 4, 5 to 8, and so on.
    final long[] completed = new long[7];

    /// How many were done in time: one count for each of [#LIMITS].
    final long[] inTime = new long[LIMITS.length + 1];

    /// Limits of fio's table of latencies, in nanoseconds; the last count is of what took longer.
    static final long[] LIMITS = limits();

    long millis;
    int processes;
    ErrnoException error; // the first, or null

    private static long[] limits() {
        int[] steps = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000};
        long[] limits = new long[3 * steps.length + 1];
        for (int i = 0; i < 3 * steps.length; i++) {
            limits[i] = steps[i % steps.length] * (long) Math.pow(1000, i / steps.length);
        }
        limits[3 * steps.length] = 2000_000_000L;
        return limits;
    }

    /// Where a depth is counted, 1 or more.
    static int depthColumn(int depth) {
        return Math.min(6, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(depth));
    }

    /// Where a number of I/Os that were handled at once is counted, 1 or more.
    static int batchColumn(int count) {
        return Math.clamp(Integer.SIZE - 1L - Integer.numberOfLeadingZeros(Math.max(1, count - 1)), 1, 6);
    }

    void start(long now) {
        read.start(now);
        write.start(now);
    }

    void end(long start, long now) {
        millis = Math.max(1, (now - start) / 1_000_000);
        read.end(now, millis);
        write.end(now, millis);
    }

    void add(Io io, FioJob job) {
        boolean waits = job.engine().waits();
        (io.write ? write : read).add(io, job.block(), job.report(), waits);
        if (job.report().completion()) {
            int column = 0;
            while (column < LIMITS.length && io.done - io.issued >= LIMITS[column]) {
                column++;
            }
            inTime[column]++;
        }
    }

    /// What another process has done at the same time.
    void add(Tally other) {
        read.add(other.read);
        write.add(other.write);
        sync.add(other.sync);
        add(depths, other.depths);
        add(completed, other.completed);
        add(inTime, other.inTime);
        millis = Math.max(millis, other.millis);
        processes += other.processes;
        error = error == null ? other.error : error;
    }

    private static void add(long[] to, long[] what) {
        for (int i = 0; i < to.length; i++) {
            to[i] += what[i];
        }
    }

    /// All I/Os.
    long ios() {
        return read.ios + write.ios;
    }
}
