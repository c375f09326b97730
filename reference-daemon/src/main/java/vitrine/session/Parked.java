package vitrine.session;

import java.util.ArrayDeque;
import vitrine.fuse.Reply;
import vitrine.virtqueue.DescriptorChain;

/// The requests of one queue that have no reply yet ([Reply.NotYet]), and when to try again.
///
/// Who waits for a lock is tried again as soon as a request of this guest may have given it up, on
/// whichever queue. Nothing tells us of locks that other guests and processes of the host give up:
/// for those there is a try every 20 ms, later every 100 ms. The front end is heard at once.
/// Belongs to the thread of its queue.
final class Parked {

    private static final long SHORTEST_PAUSE = 20_000_000; // ns
    private static final long LONGEST_PAUSE = 100_000_000;

    private final int most;
    private final FuseSession session;
    private final Runnable bell;
    private final ArrayDeque<Request> requests = new ArrayDeque<>(); // the oldest first

    private long pause = SHORTEST_PAUSE;
    private long lastTry; // System.nanoTime
    private long releasesSeen;

    /// A request with its buffers.
    record Request(DescriptorChain chain, long unique, Reply.NotYet reply) {

        boolean waitsForALock() {
            return reply.waitsFor() == Reply.WaitsFor.A_LOCK;
        }

        /// It will not be tried again.
        void giveUp() {
            reply.attempt().giveUp();
        }
    }

    /// What becomes of a request.
    @FunctionalInterface
    interface Try {
        /// Tries to answer the request, and returns whether it could.
        boolean answered(Request request);
    }

    /// @param most how many may wait, if one of them waits for a lock. Each keeps entries of the
    ///     ring that are then missing to the request that ends its waiting
    /// @param bell wakes the queue's thread up; for any thread
    Parked(int most, FuseSession session, Runnable bell) {
        this.most = most;
        this.session = session;
        this.bell = bell;
    }

    /// Keeps a request; false if there are too many already.
    boolean add(Request request) {
        if (request.waitsForALock() && requests.size() >= most) {
            return false;
        }
        if (requests.isEmpty()) {
            session.listen(bell);
            lastTry = System.nanoTime();
        }
        // Who was about to give the lock up may have done so between our try and the line above.
        releasesSeen = session.releases() - 1;
        pause = SHORTEST_PAUSE;
        requests.add(request);
        return true;
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    /// Whether it is time to try again.
    boolean isDue() {
        return !requests.isEmpty() && (session.releases() != releasesSeen || System.nanoTime() - lastTry >= pause);
    }

    /// How long the queue's thread may sleep, in milliseconds; -1 for as long as it likes.
    int mostSleep() {
        if (requests.isEmpty()) {
            return -1;
        }
        long left = pause - (System.nanoTime() - lastTry);
        return (int) Math.max(0, left / 1_000_000 + 1);
    }

    /// Tries each once, the oldest first, and keeps those that still have to wait.
    void tryAll(Try attempt) {
        releasesSeen = session.releases(); // first: what is released from now on is another try
        boolean some = requests.removeIf(request -> leaves(request, attempt));
        lastTry = System.nanoTime();
        pause = some ? SHORTEST_PAUSE : Math.min(LONGEST_PAUSE, pause * 2);
        if (requests.isEmpty()) {
            session.ignore(bell);
        }
    }

    private static boolean leaves(Request request, Try attempt) {
        boolean answered = attempt.answered(request);
        if (answered) {
            request.giveUp(); // its memory may be gone, and then nothing was tried
        }
        return answered;
    }

    /// Forgets all: the ring that they came from is not served any more.
    void clear() {
        requests.forEach(Request::giveUp);
        requests.clear();
        session.ignore(bell);
    }
}
