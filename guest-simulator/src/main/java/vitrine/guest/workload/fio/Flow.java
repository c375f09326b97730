package vitrine.guest.workload.fio;

import java.util.List;

/// What was moved in one direction.
final class Flow {

    final Latency submission = new Latency();
    final Latency completion = new Latency();
    final Latency total = new Latency();
    Samples bandwidth = Samples.NONE; // bytes a second
    Samples rate = Samples.NONE; // I/Os a second
    long ios;
    long bytes;
    long cutShort;
    long millis; // how long it was moved

    private Windows byteWindows;
    private Windows ioWindows;

    /// Begins to look at the clock.
    void start(long now) {
        byteWindows = new Windows(now);
        ioWindows = new Windows(now);
    }

    /// Ends it.
    void end(long now, long millisOfAll) {
        millis = ios == 0 ? 0 : millisOfAll;
        bandwidth = byteWindows.perSecond(now);
        rate = ioWindows.perSecond(now);
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
            byteWindows.add(io.done, io.moved);
            ioWindows.add(io.done, 1);
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

    /// What all of them moved in a second, from the first one's start to the last one's end.
    static long bytesPerSecond(List<Flow> flows) {
        long bytes = flows.stream().mapToLong(flow -> flow.bytes).sum();
        long millis = flows.stream().mapToLong(flow -> flow.millis).max().orElse(0);
        return millis == 0 ? 0 : bytes * 1000 / millis;
    }

    /// Percent of what was moved by all: as fio has it, no more than there are.
    ///
    /// @param all bytes a second
    double share(long all) {
        return all == 0 ? 0 : Math.min(100, 100 * bandwidth.mean() / all);
    }

    /// I/Os a second.
    double perSecond() {
        return millis == 0 ? 0 : ios * 1000.0 / millis;
    }
}
