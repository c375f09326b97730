package vitrine.posix;

import java.util.List;
import java.util.stream.Stream;

/// The system calls of a thread that serves a guest. See [SyscallFilter].
final class AllowedCalls {

    /// A system call: its number on x86-64 and on AArch64.
    ///
    /// @param x86 -1: there is none
    /// @param arm -1: there is none
    record Call(String name, int x86, int arm) {

        private static Call of(String text) {
            String[] part = text.split("[=/]");
            return new Call(part[0], number(part[1]), number(part[2]));
        }

        private static int number(String text) {
            return text.equals("-") ? -1 : Integer.parseInt(text);
        }
    }

    static final Call CLONE = Call.of("clone=56/220");
    static final Call CLONE3 = Call.of("clone3=435/435");
    static final Call UNSHARE = Call.of("unshare=272/97"); // for a umask of one's own
    static final int CLONE_NEW_NAMESPACES = 0x7e020000 | 0x80; // mount, cgroup, UTS, IPC, user, PID, network; time

    private static final String FILES = """
            openat=257/56 close=3/57 read=0/63 write=1/64 preadv2=327/286 pwritev2=328/287 lseek=8/62
            statx=332/291 newfstatat=262/79 fstat=5/80 fstatfs=138/44 getdents64=217/61 readlinkat=267/78
            mkdirat=258/34 mknodat=259/33 symlinkat=266/36 linkat=265/37 unlinkat=263/35 renameat=264/38
            renameat2=316/276
            name_to_handle_at=303/264 open_by_handle_at=304/265 faccessat=269/48 faccessat2=439/439
            fchmodat=268/53 fchmodat2=452/452 fchownat=260/54 utimensat=280/88
            truncate=76/45 ftruncate=77/46 fallocate=285/47 copy_file_range=326/285
            fsync=74/82 fdatasync=75/83 syncfs=306/267 fcntl=72/25 flock=73/32 ioctl=16/29
            setxattr=188/5 getxattr=191/8 listxattr=194/11 removexattr=197/14 fremovexattr=199/16
            """;

    private static final String IDENTITY = """
            setresuid=117/147 getresuid=118/148 setresgid=119/149 getresgid=120/150 setgroups=116/159
            getgroups=115/158 setfsuid=122/151 setfsgid=123/152 capget=125/90 capset=126/91 umask=95/166
            """;

    private static final String FRONT_END = """
            accept4=288/242 recvmsg=47/212 sendmsg=46/211 shutdown=48/210 getsockname=51/204 getsockopt=55/209
            poll=7/- ppoll=271/73 epoll_create1=291/20 epoll_ctl=233/21 epoll_wait=232/- epoll_pwait=281/22
            eventfd2=290/19 memfd_create=319/279 socketpair=53/199 prlimit64=302/261
            """;

    /// What the JVM and the C library do by themselves: memory, threads, clocks, signals, classes
    /// that are loaded late.
    private static final String JVM = """
            mmap=9/222 munmap=11/215 mprotect=10/226 madvise=28/233 mremap=25/216 brk=12/214 mincore=27/232
            futex=202/98 membarrier=324/283 sched_yield=24/124 sched_getaffinity=204/123 rseq=334/293
            set_robust_list=273/99 set_tid_address=218/96 prctl=157/167 gettid=186/178 getpid=39/172
            exit=60/93 exit_group=231/94 clock_gettime=228/113 clock_getres=229/114 gettimeofday=96/169
            nanosleep=35/101 clock_nanosleep=230/115 restart_syscall=219/128 getcpu=309/168
            rt_sigaction=13/134 rt_sigprocmask=14/135 rt_sigreturn=15/139 sigaltstack=131/132 tgkill=234/131
            pread64=17/67 pwrite64=18/68 readv=19/65 writev=20/66 dup=32/23 dup3=292/24
            stat=4/- lstat=6/- access=21/- readlink=89/- getcwd=79/17 uname=63/160 sysinfo=99/179
            getrlimit=97/163 getrusage=98/165 getrandom=318/278 getuid=102/174 geteuid=107/175
            getgid=104/176 getegid=108/177
            """;

    static final List<Call> ALL = Stream.of(FILES, IDENTITY, FRONT_END, JVM)
            .flatMap(text -> Stream.of(text.strip().split("\\s+")))
            .map(Call::of)
            .toList();

    private AllowedCalls() {}
}
