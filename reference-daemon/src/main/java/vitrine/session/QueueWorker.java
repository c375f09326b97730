package vitrine.session;

import static vitrine.posix.Errno.EAGAIN;
import static vitrine.posix.Errno.EDEADLK;
import static vitrine.posix.Errno.ENOLCK;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import vitrine.fuse.Opcode;
import vitrine.memory.GuestMemory;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.WakeUp;
import vitrine.virtqueue.BrokenChainException;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.DeviceQueue;

/// Serves one virtqueue: waits for a kick, drains the queue, notifies the driver.
///
/// One platform thread runs one worker, because on Linux the identity that requests are carried out
/// with belongs to a thread. The stepped machine has no threads: it calls [#drain] itself after
/// each kick and gets the same requests, in the same order, with the same replies.
///
/// What decides the speed is not the work but the sleeping and the waking, so the worker
///
/// 1. switches kicks off while it works: requests that arrive meanwhile cost the guest no VM exit;
/// 2. looks again for a bounded time before it sleeps, as long as that has paid lately
///    ([Patience]);
/// 3. asks for a kick and *then* looks once more, so that none is lost (virtio 1.3, 2.7.7.2);
/// 4. sends one call for a batch of replies, but lets no finished reply wait long for the rest
///    ([Batch]).
///
/// A request that waits for a lock keeps neither the thread nor the queue: its chain is set aside
/// ([Parked]), tried again now and then, and pushed by this thread like any other. A queue that
/// stops answers what is left with `ENOLCK`, as NFS does when its server is gone. Not with `EINTR`:
/// Linux' client would restart the system call, which it can do after a real signal only.
public final class QueueWorker {

    /// What part of the ring may be parked. A chain takes up to three of its entries, and the
    /// unlock that ends the waiting needs some as well.
    private static final int PARKED_SHARE = 4;

    private static final System.Logger LOG = System.getLogger("vitrine.session");

    private final Queue work;
    private final FuseSession session;
    private final Parked parked;
    private final Batch batch = new Batch(System::nanoTime);
    private WakeUp sleep; // null while nobody runs; under this object's lock
    private volatile boolean stopped;

    /// What a worker needs of its virtqueue.
    ///
    /// @param index the queue's number, for messages: 0 is hiprio
    /// @param ring the device's side of the virtqueue
    /// @param memory the guest's memory; entered while the ring or a buffer is touched
    /// @param call signalled when the driver is to look at the used ring
    /// @param error signalled when the ring is broken and will not be served any more
    public record Queue(int index, DeviceQueue ring, GuestMemory memory, EventFd call, EventFd error) {}

    /// @param work the queue to serve
    /// @param session what answers the requests
    public QueueWorker(Queue work, FuseSession session) {
        this.work = work;
        this.session = session;
        this.parked = new Parked(work.ring().size() / PARKED_SHARE, session, this::wake);
    }

    /// Ends [#run] after the request that is being served, even if the guest keeps adding more:
    /// whoever stops a queue must not wait for a guest to be pleased. For any thread; the wake-up
    /// is to be stopped after it.
    public void stop() {
        stopped = true;
    }

    /// Serves the queue until it is stopped or the ring turns out to be broken.
    ///
    /// A broken ring stops this queue alone: the front end is told through the error eventfd, and
    /// the other queues and the process live on.
    ///
    /// @param wakeUp the kick to sleep on
    public void run(WakeUp wakeUp) {
        sleepOn(wakeUp);
        try {
            Patience patience = new Patience(Patience.MOMENT);
            do {
                drain(patience);
            } while (!stopped && wakeUp.await(parked.mostSleep()));
            refuseParked(ENOLCK);
        } catch (BrokenQueueException e) {
            giveUp("is broken and stops: " + e.getMessage(), null);
        } catch (ErrnoException e) {
            giveUp("cannot wait for its kick: " + e.getMessage(), null);
        } catch (RuntimeException | Error e) {
            // An Error is not always ours: the JVM throws one if guest memory is gone from under
            // its mapping, because the front end has made the file behind it shorter.
            giveUp("stops", e);
        } finally {
            parked.clear();
            sleepOn(null);
        }
    }

    /// Serves all requests that are there, and those that arrive until the driver has been asked
    /// for a kick; then it is safe to sleep.
    ///
    /// What waits then is answered with `EDEADLK`: where one thread is guest and device at once,
    /// nobody is left who could end the waiting.
    ///
    /// @throws BrokenQueueException if the driver broke the ring itself
    public void drain() throws BrokenQueueException {
        drain(() -> false);
    }

    /// The same where the front end is on this thread as well.
    ///
    /// @param frontEnd gives it a turn, when all requests are answered that can be; false if it had
    ///     nothing to do
    public void drain(BooleanSupplier frontEnd) throws BrokenQueueException {
        do {
            drain(new Patience(0));
        } while (frontEnd.getAsBoolean());
        refuseParked(EDEADLK);
    }

    private void drain(Patience patience) throws BrokenQueueException {
        do {
            work.ring().refuseKicks();
            while (serveAllWaiting() && patience.lookAgain(work.ring()::waiting)) {
                // more came while we looked
            }
        } while (work.ring().askForKick() && !stopped);
    }

    /// @return whether there was anything
    private boolean serveAllWaiting() throws BrokenQueueException {
        boolean any = false;
        batch.begin();
        while (!stopped && serveOne()) {
            any = true;
            tryParkedIfDue();
            if (batch.endsNow()) {
                call();
            }
        }
        tryParkedIfDue();
        call();
        return any;
    }

    /// @return false if the queue is empty
    private boolean serveOne() throws BrokenQueueException {
        work.memory().enter(); // no region goes while we may touch a buffer in it
        try {
            Optional<DescriptorChain> chain = work.ring().pop();
            if (chain.isEmpty()) {
                return false;
            }
            push(chain.get(), session.serve(chain.get(), parked, this::beginWith));
        } catch (BrokenChainException e) {
            session.complaints().add("queue " + work.index() + ": " + e.getMessage());
            work.ring().push(e.head(), 0);
        } finally {
            work.memory().leave();
        }
        return true;
    }

    private void beginWith(Opcode next) {
        if (batch.endsBefore(next)) {
            call();
        }
    }

    /// @return whether there was something to push
    private boolean push(DescriptorChain chain, long written) {
        if (written == FuseSession.NOT_YET) {
            return false;
        }
        // All of it: who fails half-way has written more than it answers.
        work.memory().wrote(chain.writable());
        work.ring().push(chain.head(), written);
        return true;
    }

    private void tryParkedIfDue() {
        if (parked.isDue()) {
            answerParked(session::serveAgain);
        }
    }

    /// Whoever waits for the front end is to ask again: Linux does so by itself if it was a page
    /// fault that asked.
    ///
    /// @param ofLocks the errno for those who wait for a lock
    private void refuseParked(int ofLocks) {
        if (!parked.isEmpty()) {
            answerParked(request -> FuseSession.refuse(request.waitsForALock() ? ofLocks : EAGAIN, request));
            call();
        }
    }

    /// The guest may have lost the memory that a reply was to go to, since the request came. Then
    /// it must not succeed, and nobody hears of it: the chain goes back empty.
    private void answerParked(ToLongFunction<Parked.Request> answer) {
        work.memory().enter();
        try {
            parked.tryAll(request -> {
                boolean there = request.chain().writable().isAlive();
                return push(request.chain(), there ? answer.applyAsLong(request) : 0);
            });
        } finally {
            work.memory().leave();
        }
    }

    private synchronized void sleepOn(WakeUp wakeUp) {
        sleep = wakeUp;
    }

    /// The bell of [Parked]: another queue has served what may end the waiting here. Under the
    /// lock, for a kick that comes late would go to a descriptor that is something else by then.
    private synchronized void wake() {
        if (sleep != null) {
            sleep.kick();
        }
    }

    /// Calls the driver, if there is anything to call it for and it wants to be called.
    private void call() {
        if (work.ring().driverWantsCall()) {
            work.call().signal();
        }
        batch.called();
    }

    private void giveUp(String why, Throwable thrown) {
        LOG.log(System.Logger.Level.ERROR, "queue " + work.index() + " " + why, thrown);
        work.error().signal();
    }
}
