package vitrine.posix;

/// The host kernel said no: which call, and the error number it gave.
///
/// This is an answer, not an accident: most of them go back to the guest as they are (`ENOENT` for
/// a LOOKUP). So it is checked, cheap, and carries no stack trace.
public final class ErrnoException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;

    /// @param call the name of the system call, or a few words on what was tried
    /// @param errno the positive error number, see [Errno]
    public ErrnoException(String call, int errno) {
        super(null, null, false, false); // no stack trace: filling one in costs more than the system call
        this.call = call;
        this.errno = errno;
    }

    /// The positive error number, see [Errno].
    public int errno() {
        return errno;
    }

    /// The system call that failed, or what was tried.
    public String call() {
        return call;
    }

    /// For example `openat: ENOENT (No such file or directory)`.
    @Override
    public String getMessage() {
        return call + ": " + Errno.name(errno) + " (" + Errno.text(errno) + ")";
    }
}
