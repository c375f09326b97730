package vitrine.posix;

/// System calls that are made by number ([Libc#syscall]), which depends on the architecture.
///
/// All of them concern the calling thread alone, where glibc's functions of the same name would
/// change every thread of the process.
enum SyscallNumber {
    GETTID(186, 178),
    GETGROUPS(115, 158),
    SETGROUPS(116, 159),
    SETRESUID(117, 147),
    GETRESUID(118, 148),
    SETRESGID(119, 149),
    GETRESGID(120, 150),
    CAPGET(125, 90),
    CAPSET(126, 91);

    final int number;

    SyscallNumber(int x86, int arm) {
        this.number = System.getProperty("os.arch").equals("aarch64") ? arm : x86;
    }
}
