package vitrine.guest.experiment;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// A guest that is ready, and the work in it.
interface Contestant extends AutoCloseable {

    /// Works for about so long; what came of it.
    double work(Duration slice) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;

    /// Ends them all, also those behind one that cannot be ended.
    static void closeAll(List<Contestant> contestants) throws IOException {
        if (!contestants.isEmpty()) {
            try (Contestant _ = contestants.getFirst()) {
                closeAll(contestants.subList(1, contestants.size()));
            }
        }
    }

    /// What is done for so long.
    interface Work {
        double in(Duration slice) throws IOException, InterruptedException;
    }

    /// What ends it.
    interface End {
        void now() throws IOException;
    }

    /// One of these two.
    static Contestant of(Work work, End end) {
        return new Contestant() {
            @Override
            public double work(Duration slice) throws IOException, InterruptedException {
                return work.in(slice);
            }

            @Override
            public void close() throws IOException {
                end.now();
            }
        };
    }
}
