package vitrine.migration;

import java.io.IOException;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.wire.MalformedException;

/// A state on its way through a pipe, on a thread of its own: the front end reads, or writes, while
/// the thread that obeys it is free to hear it.
public final class Transfer {

    private static final System.Logger LOG = System.getLogger("vitrine.migration");
    private static final long LONGEST_PAUSE = 10_000_000_000L; // ns

    private final Pipe pipe;
    private final Work work;
    private final Thread thread;
    private volatile boolean done;

    /// What is done at this end of the pipe.
    private interface Work {
        void run() throws CannotMoveException, MalformedException, IOException;
    }

    private Transfer(Pipe pipe, String name, Work work) {
        this.pipe = pipe;
        this.work = work;
        this.thread = Thread.ofPlatform().name(name).daemon().start(this::run);
    }

    /// Begins to write what the guest holds.
    ///
    /// @param fd a pipe, taken over in any case
    public static Transfer save(Syscalls sys, Fd fd, Movable from) throws ErrnoException {
        Pipe pipe = new Pipe(sys, fd);
        return new Transfer(pipe, "save-state", () -> from.save(new StateWriter(pipe.output())));
    }

    /// Begins to take over what a guest holds.
    ///
    /// @param fd a pipe, taken over in any case
    public static Transfer load(Syscalls sys, Fd fd, Movable to) throws ErrnoException {
        Pipe pipe = new Pipe(sys, fd);
        return new Transfer(pipe, "load-state", () -> to.load(new StateReader(pipe.input())));
    }

    private void run() {
        try (pipe) {
            work.run();
            done = true;
        } catch (CannotMoveException e) {
            LOG.log(System.Logger.Level.ERROR, "the guest cannot move: " + e.getMessage());
        } catch (MalformedException e) {
            LOG.log(System.Logger.Level.ERROR, "the guest cannot move: this is " + e.getMessage());
        } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "the guest's state did not get through: " + e.getMessage());
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "the guest cannot move: our mistake", e);
        }
    }

    /// Waits for the end, as long as the front end does its part.
    ///
    /// @return whether all went well
    public boolean isDone() {
        while (!joined(100)) {
            if (pipe.idle() > LONGEST_PAUSE) {
                cancel();
            }
        }
        return done;
    }

    /// Gives it up, unless it has ended, and waits for that.
    public void cancel() {
        pipe.cancel();
        while (!joined(0)) {
            // interrupted: it must have ended all the same
        }
    }

    private boolean joined(long millis) {
        try {
            thread.join(millis);
            return !thread.isAlive();
        } catch (InterruptedException _) {
            return false;
        }
    }
}
