package vitrine.visualizer.window;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javafx.application.Platform;
import vitrine.visualizer.command.Opened;
import vitrine.visualizer.timeline.Run;

/// Runs by their names, each made or read once, on a thread of their own.
final class Runs {

    private static final long TELL_EVERY = 250_000_000; // nanoseconds

    private final Consumer<String> progress;
    private final Map<String, Run> known = new ConcurrentHashMap<>();
    private final AtomicLong jobs = new AtomicLong();
    private final Executor worker = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("runs").factory());
    private final ExecutorService folder = Executors.newSingleThreadExecutor(Thread.ofPlatform()
            .daemon()
            .name("fold")
            .priority(Thread.MIN_PRIORITY)
            .factory());

    /// @param progress is told now and then how far a long file has been read, on the JavaFX thread
    Runs(Consumer<String> progress) {
        this.progress = progress;
    }

    /// A run to be made; what a reader waits for is made before what is merely pictured, and else
    /// what was wanted first.
    private record Job(boolean isAwaited, long number, Runnable work) implements Runnable, Comparable<Job> {

        @Override
        public int compareTo(Job other) {
            return isAwaited == other.isAwaited ? Long.compare(number, other.number) : isAwaited ? -1 : 1;
        }

        @Override
        public void run() {
            work.run();
        }
    }

    /// Gives the run of a scenario or a capture file, on the JavaFX thread.
    ///
    /// @param failed is told why there is none
    void get(String name, Consumer<Run> ready, Consumer<String> failed) {
        Run run = known.get(name);
        if (run != null) {
            ready.accept(run);
        } else {
            get(name, _ -> {}, ready, failed);
        }
    }

    /// The same, with something that is found out of the run before, on the thread of the runs.
    void get(String name, Consumer<Run> before, Consumer<Run> ready, Consumer<String> failed) {
        worker.execute(new Job(true, jobs.getAndIncrement(), () -> make(name, before, ready, failed)));
    }

    /// The same for somebody who does not wait: whoever does comes first.
    void getLater(String name, Consumer<Run> ready, Consumer<String> failed) {
        worker.execute(new Job(false, jobs.getAndIncrement(), () -> make(name, _ -> {}, ready, failed)));
    }

    private void make(String name, Consumer<Run> before, Consumer<Run> ready, Consumer<String> failed) {
        try {
            Run run = known.containsKey(name) ? known.get(name) : made(name);
            before.accept(run);
            Platform.runLater(() -> ready.accept(run));
        } catch (IOException | RuntimeException e) {
            Platform.runLater(() -> failed.accept(String.valueOf(e.getMessage())));
        }
    }

    private Run made(String name) throws IOException {
        long[] told = {System.nanoTime()};
        Run run = Opened.run(name, done -> {
            if (System.nanoTime() - told[0] > TELL_EVERY) {
                told[0] = System.nanoTime();
                String sentence = "Reading " + name + ": " + Math.round(100 * done) + " %";
                Platform.runLater(() -> progress.accept(sentence));
            }
        });
        run.prepare();
        known.put(name, run);
        folder.execute(run::fold);
        return run;
    }
}
