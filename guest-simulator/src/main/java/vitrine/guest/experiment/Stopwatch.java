package vitrine.guest.experiment;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.posix.ErrnoException;

/// A file system, and how long it took to answer: what a server sees of a request's time.
final class Stopwatch implements FileSystem {

    private final FileSystem real;
    private final Predicate<FuseRequest> counted;
    private final LongAdder nanos = new LongAdder();
    private final LongAdder answers = new LongAdder();

    /// @param counted which requests are of interest
    Stopwatch(FileSystem real, Predicate<FuseRequest> counted) {
        this.real = real;
        this.counted = counted;
    }

    @Override
    public Reply answer(FuseRequest request) throws ErrnoException {
        if (!counted.test(request)) {
            return real.answer(request);
        }
        long start = System.nanoTime();
        try {
            return real.answer(request);
        } finally {
            nanos.add(System.nanoTime() - start);
            answers.increment();
        }
    }

    /// Begins again.
    void reset() {
        nanos.reset();
        answers.reset();
    }

    /// Of one answer.
    double micros() {
        return nanos.sum() / 1e3 / Math.max(1, answers.sum());
    }
}
