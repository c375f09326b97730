package vitrine.guest.kernel.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import vitrine.guest.kernel.Completion;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.posix.ErrnoException;

/// Requests that the caller does not wait for one by one: the server has so many of them at most,
/// and the others wait in the guest (`fuse_request_queue_background` in Linux).
///
/// Nobody works behind the scenes: what is under way is looked at when somebody waits, or asks.
public final class Background {

    private final int most;
    private final Decisions decisions;
    private final Set<Job<?>> underWay = new LinkedHashSet<>();
    private final Deque<Job<?>> waiting = new ArrayDeque<>();

    Background(int most, Decisions decisions) {
        this.most = most;
        this.decisions = decisions;
    }

    /// Sends a request when its turn comes, which may be at once.
    <T> Completion<T> submit(Supplier<Completion<T>> request) {
        Job<T> job = new Job<>(request);
        synchronized (this) {
            boolean now =
                    waiting.isEmpty() && decisions.by(new vitrine.guest.kernel.rule.Background(underWay.size(), most));
            if (now) {
                start(job);
            } else {
                waiting.add(job);
            }
        }
        return job;
    }

    private void start(Job<?> job) {
        job.start();
        underWay.add(job);
    }

    /// How many the server has and will have. What is back is noticed now.
    synchronized int size() {
        List.copyOf(underWay).forEach(Job::isDone);
        return underWay.size() + waiting.size();
    }

    private synchronized void isBack(Job<?> job) {
        if (underWay.remove(job)) {
            while (!waiting.isEmpty() && underWay.size() < most) {
                start(waiting.remove());
            }
        }
    }

    /// The request that has been under way for longest; null if this one is under way itself.
    private synchronized Job<?> before(Job<?> job) {
        return job.sent != null ? null : underWay.iterator().next();
    }

    private final class Job<T> implements Completion<T> {

        private final Supplier<Completion<T>> request;
        private volatile Completion<T> sent;

        Job(Supplier<Completion<T>> request) {
            this.request = request;
        }

        void start() {
            sent = request.get();
        }

        @Override
        public boolean isDone() {
            Job<?> before = before(this);
            if (before != null) {
                return before.isDone() && sent != null && isDone(); // our turn may have come by that
            }
            boolean done = sent.isDone();
            if (done) {
                isBack(this);
            }
            return done;
        }

        @Override
        public T await() throws ErrnoException {
            for (Job<?> before = before(this); before != null; before = before(this)) {
                before.settle();
            }
            try {
                return sent.await();
            } finally {
                isBack(this);
            }
        }

        /// Waits, and leaves what comes of it to whom it concerns.
        private void settle() {
            try {
                await();
            } catch (ErrnoException _) {
                // whose request it is will be told
            }
        }
    }
}
