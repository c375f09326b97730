package vitrine.guest.kernel;

import vitrine.posix.ErrnoException;

/// A read or write that is under way, and what comes of it: io_submit(2) and io_getevents(2).
///
/// @param <T> what comes of it
public interface Completion<T> {

    /// Whether it is over, so that [#await()] returns at once.
    boolean isDone();

    /// Waits until it is over. May be called more than once, by one thread at a time.
    ///
    /// @throws ErrnoException if it failed
    T await() throws ErrnoException;

    /// One that failed before it could be waited for.
    static <T> Completion<T> failed(ErrnoException why) {
        return new Completion<>() {

            @Override
            public boolean isDone() {
                return true;
            }

            @Override
            public T await() throws ErrnoException {
                throw why;
            }
        };
    }

    /// One that was over before it could be waited for.
    static <T> Completion<T> of(T result) {
        return new Completion<>() {

            @Override
            public boolean isDone() {
                return true;
            }

            @Override
            public T await() {
                return result;
            }
        };
    }
}
