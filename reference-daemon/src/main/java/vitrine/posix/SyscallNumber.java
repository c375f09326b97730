package vitrine.posix;

import java.util.Locale;

/// System calls that are made by number ([Libc#syscall]), which depends on the architecture.
///
/// Those about the calling thread concern it alone, where glibc's functions of the same name would
/// change every thread of the process; the others are newer than some glibc.
public enum SyscallNumber {
    /// Tells the thread's number.
    GETTID(186, 178),
    /// Tells its supplementary groups.
    GETGROUPS(115, 158),
    /// Sets its supplementary groups.
    SETGROUPS(116, 159),
    /// Sets its three user ids.
    SETRESUID(117, 147),
    /// Tells its three user ids.
    GETRESUID(118, 148),
    /// Sets its three group ids.
    SETRESGID(119, 149),
    /// Tells its three group ids.
    GETRESGID(120, 150),
    /// Sets its group id for files, and tells the one before.
    SETFSGID(123, 152),
    /// Tells its capabilities.
    CAPGET(125, 90),
    /// Sets its capabilities.
    CAPSET(126, 91),
    /// Sets the root of its mount namespace.
    PIVOT_ROOT(155, 41),
    /// Filters what a thread may call, see [SyscallFilter].
    SECCOMP(317, 277),
    /// Begins to make a mount, see [FuseCalls].
    FSOPEN(430, 430),
    /// Says what is to be mounted.
    FSCONFIG(431, 431),
    /// Mounts it.
    FSMOUNT(432, 432);

    final int number;

    SyscallNumber(int x86, int arm) {
        this.number = System.getProperty("os.arch").equals("aarch64") ? arm : x86;
    }

    /// The name of the call with that number, as its man page has it; `syscall N` if it is none of
    /// these.
    public static String nameOf(long number) {
        for (SyscallNumber call : values()) {
            if (call.number == number) {
                return call.name().toLowerCase(Locale.ROOT);
            }
        }
        return "syscall " + number;
    }
}
