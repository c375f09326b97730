package vitrine.guest.workload.fio;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import vitrine.guest.Machine;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.workload.Pace;
import vitrine.posix.ErrnoException;

/// Jobs on a simulated guest: files first, then all processes at once.
final class FioRun {

    private final List<FioJob> jobs;
    private final List<Lane> lanes = new ArrayList<>();
    private final LongAdder moved = new LongAdder();
    private final long start = System.currentTimeMillis();
    private Pace pace;

    /// What came of a job, or of one of its processes.
    ///
    /// @param group whose it is, counted from 0
    record Row(FioJob job, int group, Tally tally) {}

    FioRun(List<FioJob> jobs) {
        this.jobs = jobs;
    }

    /// Runs them all.
    ///
    /// @param say is told what takes time before the clock runs
    /// @throws ErrnoException if a file cannot be made or opened
    List<Row> on(Machine machine, GuestPaths paths, Consumer<String> say) throws ErrnoException, InterruptedException {
        Layout layout = new Layout(machine.ownProgram(), say);
        for (FioJob job : jobs) {
            for (int number = 0; number < job.processes(); number++) {
                String path = paths.inGuest(job.file(number));
                layout.prepare(job, path);
                Lane lane = new Lane(job, number, process(machine, job), moved);
                lane.open(path);
                lanes.add(lane);
            }
        }
        runTogether();
        for (Lane lane : lanes) {
            lane.close();
        }
        for (FioJob job : jobs) {
            for (int number = 0; job.report().removesFiles() && number < job.processes(); number++) {
                layout.remove(paths.inGuest(job.file(number)));
            }
        }
        return rows();
    }

    private static GuestProcess process(Machine machine, FioJob job) {
        FioJob.Who who = job.who();
        return who.uid() == 0 ? machine.ownProgram() : machine.userProgram(who.uid(), who.gid());
    }

    /// How fast all of them together moved bytes.
    Pace pace() {
        return pace;
    }

    private void runTogether() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (Lane lane : lanes) {
            Thread.Builder builder = lane.job().report().threads() ? Thread.ofPlatform() : Thread.ofVirtual();
            threads.add(builder.name(lane.job().name()).start(() -> {
                try {
                    go.await();
                    lane.run();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        pace = Pace.of(moved::sum);
        try (Pace _ = pace) {
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (FioJob job : jobs) {
            Tally all = new Tally();
            for (Lane lane : lanes) {
                if (lane.job() == job && job.report().grouped()) {
                    all.add(lane.tally());
                } else if (lane.job() == job) {
                    rows.add(new Row(job, 0, lane.tally()));
                }
            }
            if (job.report().grouped()) {
                rows.add(new Row(job, 0, all));
            }
        }
        return rows;
    }

    /// How far it is, in a line; what fio shows while it runs.
    String progress(long moment) {
        long seconds = Math.max(1, (moment - start) / 1000);
        long all = 0;
        for (Lane lane : lanes) {
            all += lane.job().extent().amount() * lane.job().pace().loops();
        }
        boolean endless = jobs.stream().anyMatch(job -> job.pace().timeBased());
        long percent = all == 0 || endless ? 0 : Math.min(100, moved.sum() * 100 / all);
        String share = endless || all == 0 ? "" : "[" + percent + "%]";
        return "Jobs: " + lanes.size() + share + "[" + Numbers.bytes(moved.sum() / seconds, "B/s") + "][" + seconds
                + "s]";
    }
}
