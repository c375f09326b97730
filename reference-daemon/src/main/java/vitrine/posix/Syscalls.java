package vitrine.posix;

/// The system calls, in Java's terms: a failure is an [ErrnoException], a name is a
/// [vitrine.wire.Name], file data is [vitrine.wire.Buffers].
///
/// One method makes one system call, repeated only when a signal interrupted it (`EINTR`). All
/// descriptors are opened with `O_CLOEXEC`. One instance serves all threads. The calls are sorted
/// into six families, one file each.
public final class Syscalls implements FileCalls, NameCalls, AttributeCalls, HandleCalls, KernelCalls, FuseCalls {

    private final Libc libc;

    /// @param libc the C library, or a decorator of it
    public Syscalls(Libc libc) {
        this.libc = libc;
    }

    /// What the calls are made through.
    @Override
    public Libc libc() {
        return libc;
    }

    /// Takes over a descriptor that a call has answered.
    static Fd opened(String call, int number, Libc libc) throws ErrnoException {
        return new Fd(checked(call, number), libc);
    }

    /// The result of a call, unless it failed. To be used at once: it asks for `errno`.
    static int checked(String call, int result) throws ErrnoException {
        if (result == -1) {
            throw new ErrnoException(call, Libc.lastErrno());
        }
        return result;
    }

    /// The result of a call, unless it failed. To be used at once: it asks for `errno`.
    static long checked(String call, long result) throws ErrnoException {
        if (result == -1) {
            throw new ErrnoException(call, Libc.lastErrno());
        }
        return result;
    }

    /// Whether a call was ended by a signal before it did anything, and is to be made again.
    static boolean interrupted(long result) {
        return result == -1 && Libc.lastErrno() == Errno.EINTR;
    }
}
