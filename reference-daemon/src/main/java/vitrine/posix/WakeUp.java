package vitrine.posix;

/// What a queue's thread sleeps on: the kick of its ring, or the order to stop.
///
/// A wake-up costs one system call, where others make two (`poll`, then `read` to put the counter
/// back to 0). The kick is watched *edge-triggered*: each write to the eventfd reports it once, so
/// the counter never needs to be read; that it grows for ever harms nobody (2^64 kicks are
/// enough). The stop is watched level-triggered and never read either: once given, it stays.
public final class WakeUp implements AutoCloseable {

    private final Syscalls sys;
    private final EventFd kick;
    private final Fd epoll;
    private final EventFd stop;
    private volatile boolean stopped;

    /// @param kick what the driver signals; not closed by this object
    /// @throws ErrnoException if there are no more descriptors, or `kick` is nothing to wait for
    public WakeUp(Syscalls sys, EventFd kick) throws ErrnoException {
        this.sys = sys;
        this.kick = kick;
        this.epoll = sys.epollCreate();
        EventFd stop = null;
        try {
            stop = EventFd.create(sys);
            sys.epollAdd(epoll, kick.fd(), KernelCalls.POLLIN | KernelCalls.EPOLLET);
            sys.epollAdd(epoll, stop.fd(), KernelCalls.POLLIN);
        } catch (ErrnoException e) {
            epoll.close();
            if (stop != null) {
                stop.close();
            }
            throw e;
        }
        this.stop = stop;
    }

    /// Sleeps until there was a kick since the last time, which may already be so.
    ///
    /// Kicks that came while nobody slept are one wake-up together.
    ///
    /// @return false when stopped, then and for ever
    public boolean await() throws ErrnoException {
        return await(-1);
    }

    /// The same, but sleeps no longer than `millis`; -1 for as long as it takes.
    public boolean await(int millis) throws ErrnoException {
        sys.epollWait(epoll, millis);
        return !stopped;
    }

    /// Wakes up who sleeps here, as the driver would. For any thread, until [#stop].
    public void kick() {
        kick.signal();
    }

    /// Whether there was a kick since the last time, without sleeping.
    public boolean poll() throws ErrnoException {
        return sys.epollWait(epoll, 0) && !stopped;
    }

    /// Ends [#await], now and for ever. For any thread.
    public void stop() {
        stopped = true;
        stop.signal();
    }

    /// Closes what this object opened. Only after [#stop], and when nobody sleeps any more.
    @Override
    public void close() {
        epoll.close();
        stop.close();
    }
}
