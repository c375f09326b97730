package vitrine.guest.workload.fio;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.ErrnoException;

/// How a process has several I/Os under way, or one.
interface Submitter {

    /// Begins an I/O.
    void submit(Io io);

    /// Waits for one that is done, and returns null if none is under way any more.
    Io take() throws InterruptedException;

    /// What reads or writes a block of a process' file, and returns how many bytes.
    interface Mover {
        int move(Io io) throws ErrnoException;
    }

    /// The system calls that a block takes.
    ///
    /// @param data what is written
    static Mover mover(GuestProcess process, int fd, byte[] data) {
        return io -> io.write ? process.pwrite(fd, data, io.offset) : process.pread(fd, data.length, io.offset).length;
    }

    private static void move(Mover mover, Io io) {
        try {
            io.moved = mover.move(io);
        } catch (ErrnoException e) {
            io.error = e;
        } finally {
            io.done = System.nanoTime();
        }
    }

    /// One at a time: the call returns when it is done (fio: `psync`).
    final class Waiting implements Submitter {

        private final Mover mover;
        private final Queue<Io> done = new ArrayDeque<>();

        Waiting(Mover mover) {
            this.mover = mover;
        }

        @Override
        public void submit(Io io) {
            io.issued = io.started;
            Submitter.move(mover, io);
            done.add(io);
        }

        @Override
        public Io take() {
            return done.poll();
        }
    }

    /// As many at once as were submitted, each on a virtual thread (fio: `libaio`).
    final class Parallel implements Submitter {

        private final Mover mover;
        private final BlockingQueue<Io> done = new LinkedBlockingQueue<>();
        private int underWay;

        Parallel(Mover mover) {
            this.mover = mover;
        }

        @Override
        public void submit(Io io) {
            underWay++;
            io.issued = System.nanoTime();
            Thread.ofVirtual().start(() -> {
                try {
                    Submitter.move(mover, io);
                } finally {
                    done.add(io);
                }
            });
        }

        @Override
        public Io take() throws InterruptedException {
            if (underWay == 0) {
                return null;
            }
            underWay--;
            return done.take();
        }
    }
}
