package vitrine.guest.workload.fio;

import java.util.ArrayDeque;
import java.util.Deque;
import vitrine.guest.kernel.Completion;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.ErrnoException;

/// How a process has several I/Os under way, or one.
interface Submitter {

    /// Begins an I/O.
    void submit(Io io);

    /// Waits for one of those that are under way.
    Io take();

    /// One at a time: the call returns when it is done (fio: `psync`).
    final class Waiting implements Submitter {

        private final GuestProcess process;
        private final int fd;
        private final byte[] data;
        private Io done;

        Waiting(GuestProcess process, int fd, byte[] data) {
            this.process = process;
            this.fd = fd;
            this.data = data;
        }

        @Override
        public void submit(Io io) {
            io.issued = io.started;
            try {
                io.moved = io.write
                        ? process.pwrite(fd, data, io.offset)
                        : process.pread(fd, data.length, io.offset).length;
            } catch (ErrnoException e) {
                io.error = e;
            }
            io.done = System.nanoTime();
            done = io;
        }

        @Override
        public Io take() {
            return done;
        }
    }

    /// Several at once, by io_submit(2) and io_getevents(2) (fio: `libaio`). Where Linux moves the
    /// data at once, which is all that is not O_DIRECT, a submit takes as long as that.
    final class Ahead implements Submitter {

        private final GuestProcess process;
        private final int fd;
        private final byte[] data;
        private final Deque<UnderWay> underWay = new ArrayDeque<>();

        private record UnderWay(Io io, Completion<Integer> completion) {}

        Ahead(GuestProcess process, int fd, byte[] data) {
            this.process = process;
            this.fd = fd;
            this.data = data;
        }

        @Override
        public void submit(Io io) {
            Completion<Integer> completion = null;
            try {
                completion = io.write
                        ? process.submitWrite(fd, data, io.offset)
                        : length(process.submitRead(fd, data.length, io.offset));
            } catch (ErrnoException e) {
                io.error = e;
            }
            io.issued = System.nanoTime();
            underWay.add(new UnderWay(io, completion));
        }

        private static Completion<Integer> length(Completion<byte[]> read) {
            return new Completion<>() {
                @Override
                public boolean isDone() {
                    return read.isDone();
                }

                @Override
                public Integer await() throws ErrnoException {
                    return read.await().length;
                }
            };
        }

        /// The first that is done, or the one that has been under way for longest.
        @Override
        public Io take() {
            UnderWay first = underWay.stream()
                    .filter(each -> each.completion == null || each.completion.isDone())
                    .findFirst()
                    .orElse(underWay.peek());
            underWay.remove(first);
            try {
                first.io.moved = first.completion == null ? 0 : first.completion.await();
            } catch (ErrnoException e) {
                first.io.error = e;
            }
            first.io.done = System.nanoTime();
            return first.io;
        }
    }
}
