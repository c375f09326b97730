package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static vitrine.posix.Syscalls.checked;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The capabilities of the calling thread, by the raw system calls (`linux/capability.h`).
///
/// A set is a `long` with one bit for each capability. *Effective* are those that the kernel asks
/// for; *permitted* are those that may be made effective again.
final class Capabilities {

    static final long CAP_CHOWN = 1L;
    static final long CAP_DAC_OVERRIDE = 1L << 1;
    static final long CAP_FSETID = 1L << 4;
    static final long CAP_SETGID = 1L << 6;
    static final long CAP_SETUID = 1L << 7;

    private static final int VERSION_3 = 0x20080522;

    private final Libc libc;
    private final MemorySegment header = Arena.ofAuto().allocate(8, Integer.BYTES);
    private final MemorySegment sets = Arena.ofAuto().allocate(24, Integer.BYTES); // twice: lower, upper 32 bits

    Capabilities(Libc libc) {
        this.libc = libc;
        header.set(JAVA_INT, 0, VERSION_3); // and 0 for the calling thread
    }

    /// Asks the kernel, for [#effective] and [#permitted] to tell.
    void get() throws ErrnoException {
        checked("capget", libc.syscall(SyscallNumber.CAPGET.number, header.address(), sets.address(), 0));
    }

    long effective() {
        return set(0);
    }

    long permitted() {
        return set(4);
    }

    /// Changes the effective set alone. Permitted and inheritable stay as [#get] found them.
    void setEffective(long effective) throws ErrnoException {
        sets.set(JAVA_INT, 0, (int) effective);
        sets.set(JAVA_INT, 12, (int) (effective >>> 32));
        checked("capset", libc.syscall(SyscallNumber.CAPSET.number, header.address(), sets.address(), 0));
    }

    /// Makes effective and permitted the same, and nothing inheritable. For ever: what is not
    /// permitted cannot be had again.
    void setAll(long capabilities) throws ErrnoException {
        for (int half = 0; half < 2; half++) {
            int bits = (int) (capabilities >>> 32 * half);
            sets.set(JAVA_INT, 12L * half, bits);
            sets.set(JAVA_INT, 12L * half + 4, bits);
            sets.set(JAVA_INT, 12L * half + 8, 0);
        }
        checked("capset", libc.syscall(SyscallNumber.CAPSET.number, header.address(), sets.address(), 0));
    }

    private long set(int offset) {
        return Integer.toUnsignedLong(sets.get(JAVA_INT, offset)) | (long) sets.get(JAVA_INT, offset + 12) << 32;
    }
}
