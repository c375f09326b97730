package vitrine.posix;

/// An open file descriptor of this process, and who closes it: closed at most once.
///
/// After [#close] the number is -1, so that a late use answers `EBADF` instead of reaching the next
/// file that gets the same number. This does not order a use against a close *at the same time*:
/// whoever shares an `Fd` between threads (a table of handles) has to.
public final class Fd implements AutoCloseable {

    /// No descriptor, but "the current directory" in calls that resolve a host path.
    static final Fd CURRENT_DIRECTORY = of(Fcntl.AT_FDCWD);

    private final Libc libc; // null: borrowed, somebody else closes it
    private volatile int number;

    /// Takes over a descriptor: [#close] closes it through `libc`.
    public Fd(int number, Libc libc) {
        this.number = number;
        this.libc = libc;
    }

    private Fd(int number) {
        this(number, null);
    }

    /// A descriptor that is somebody else's to close, such as standard input.
    public static Fd of(int number) {
        return new Fd(number);
    }

    /// The descriptor's number, or -1 once closed.
    public int number() {
        return number;
    }

    /// Whether it can still be used.
    public boolean isOpen() {
        return number != -1;
    }

    /// Closes it; a second time does nothing. Errors are not reported, see [Syscalls#close].
    @Override
    public void close() {
        int open = giveUp();
        if (open != -1 && libc != null) {
            libc.close(open); // never repeated: Linux has released the number even on EINTR
        }
    }

    /// Ends this object without closing the descriptor, and returns its number: it has a new owner.
    synchronized int giveUp() {
        int open = number;
        number = -1;
        return open;
    }

    /// For example `fd 7`.
    @Override
    public String toString() {
        return number == -1 ? "closed fd" : "fd " + number;
    }
}
