package vitrine.guest.workload.fio;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// One process of a job: its file, its I/Os, and what they took.
final class Lane {

    private final FioJob job;
    private final int number;
    private final GuestProcess process;
    private final Tally tally = new Tally();
    private final SplittableRandom coin;
    private final LongAdder progress;
    private int fd;
    private Submitter submitter;

    // Where it is in its work.
    private Order order;
    private int round;
    private long place;
    private long amountOfRound;
    private long begun;
    private int writesSinceSync;
    private long start;
    private boolean mustEnd;

    /// @param number among the job's processes
    /// @param progress is told how many bytes were moved
    Lane(FioJob job, int number, GuestProcess process, LongAdder progress) {
        this.job = job;
        this.number = number;
        this.process = process;
        this.progress = progress;
        coin = new SplittableRandom(job.seed() + number);
    }

    FioJob job() {
        return job;
    }

    Tally tally() {
        return tally;
    }

    /// @param path of the file in the guest
    void open(String path) throws ErrnoException {
        int access = job.access().writes() ? Fcntl.O_RDWR | Fcntl.O_CREAT : Fcntl.O_RDONLY;
        fd = process.open(path, access | (job.direct() ? Fcntl.O_DIRECT : 0), 0600);
        byte[] data = new byte[job.block()];
        new Random(job.seed() + number).nextBytes(data);
        submitter = job.engine().waits()
                ? new Submitter.Waiting(process, fd, data)
                : new Submitter.Ahead(process, fd, data);
    }

    /// Does all of it.
    void run() {
        start = System.nanoTime();
        tally.start(start);
        tally.processes = 1;
        order = Order.of(job, number, 0);
        int underWay = 0;
        while (hasMore()) {
            while (underWay < job.engine().depth() && hasMore()) {
                syncIfDue(underWay);
                underWay++;
                tally.depths[Tally.depthColumn(underWay)]++;
                submitter.submit(next());
            }
            take(1);
            underWay--;
        }
        take(underWay);
        if (job.pace().endFsync()) {
            sync();
        }
        tally.end(start, System.nanoTime());
    }

    private boolean hasMore() {
        FioJob.Pace pace = job.pace();
        if (mustEnd || pace.numberOfIos() > 0 && begun >= pace.numberOfIos()) {
            return false;
        }
        if (pace.runtime() != null
                && System.nanoTime() - start >= pace.runtime().toNanos()) {
            return false;
        }
        if (amountOfRound + job.block() <= job.extent().amount()) {
            return true;
        }
        if (pace.timeBased() || round + 1 < pace.loops()) {
            round++;
            amountOfRound = 0;
            place = 0;
            order = Order.of(job, number, round);
            return true;
        }
        return false;
    }

    private Io next() {
        boolean write = job.access().mixed()
                ? coin.nextInt(100) >= job.reading()
                : job.access().writes();
        long offset = job.extent().offset() + order.block(place++) * job.block();
        amountOfRound += job.block();
        begun++;
        return new Io(write, offset);
    }

    /// Takes so many back at once.
    private void take(int count) {
        for (int i = 0; i < count; i++) {
            account(submitter.take());
        }
        if (count > 0) {
            tally.completed[Tally.batchColumn(count)]++;
        }
    }

    private void account(Io io) {
        if (io.error != null) {
            fail(io.error);
            return;
        }
        tally.add(io, job);
        progress.add(io.moved);
        writesSinceSync += io.write ? 1 : 0;
    }

    /// Before the next one, as in fio: after the last one there is none.
    private void syncIfDue(int underWay) {
        if (job.pace().fsync() > 0 && writesSinceSync >= job.pace().fsync()) {
            writesSinceSync = 0;
            tally.depths[Tally.depthColumn(underWay + 1)]++;
            long before = System.nanoTime();
            sync();
            tally.sync.add(System.nanoTime() - before);
        }
    }

    private void sync() {
        try {
            if (job.pace().dataOnly()) {
                process.fdatasync(fd);
            } else {
                process.fsync(fd);
            }
        } catch (ErrnoException e) {
            fail(e);
        }
    }

    private void fail(ErrnoException e) {
        tally.error = tally.error == null ? e : tally.error;
        mustEnd = true;
    }

    /// Closes the file.
    void close() throws ErrnoException {
        process.close(fd);
    }
}
