package vitrine.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static vitrine.posix.Syscalls.checked;
import static vitrine.posix.Syscalls.interrupted;
import static vitrine.posix.Syscalls.opened;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// System calls on memory, events, and the process itself.
public sealed interface KernelCalls permits Syscalls {

    /// The bits of [#mmap]'s `protection`.
    int PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2;

    /// The bits of [#mmap]'s `flags`; `MAP_NORESERVE` counts no swap space for what is not touched.
    int MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_ANONYMOUS = 0x20, MAP_NORESERVE = 0x4000;

    /// The events of [#epollAdd] and [#poll]; `EPOLLET` reports each event once instead of as long
    /// as it lasts.
    int POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16, EPOLLET = 1 << 31;

    /// What [#openFileLimit] asks for.
    int RLIMIT_NOFILE = 7;

    /// The C library that the calls are made through.
    Libc libc();

    // --- memory

    /// Makes a file that exists in memory only, empty. `name` is for `/proc/PID/maps` alone.
    default Fd memfdCreate(String name) throws ErrnoException {
        int flags = 1 | 2; // MFD_CLOEXEC, MFD_ALLOW_SEALING
        long text = Scratch.mine().text("memfd_create", name);
        return opened("memfd_create", libc().memfd_create(text, flags), libc());
    }

    /// Maps `length` bytes of a file from `offset` on, at a place that the kernel chooses.
    ///
    /// The segment is not guarded: whoever unmaps it sees to it that nobody uses it any more.
    /// Touching a page that lies behind the end of the file is `SIGBUS`.
    ///
    /// @param fd the file; ignored with `MAP_ANONYMOUS`
    /// @param offset a multiple of the page size
    @SuppressWarnings("restricted") // the address comes from the kernel, with just this length
    default MemorySegment mmap(Fd fd, long offset, long length, int protection, int flags) throws ErrnoException {
        long address = libc().mmap(0, length, protection, flags, fd.number(), offset);
        return MemorySegment.ofAddress(checked("mmap", address)).reinterpret(length);
    }

    /// Maps a file in the place of what is mapped at `where` (`MAP_FIXED`), shared.
    default void mmapOver(MemorySegment where, Fd fd, long offset, int protection) throws ErrnoException {
        int fixed = 0x10;
        int flags = MAP_SHARED | MAP_NORESERVE | fixed;
        checked("mmap", libc().mmap(where.address(), where.byteSize(), protection, flags, fd.number(), offset));
    }

    /// Replaces what is mapped at `where` by addresses that belong to nothing: touching them is
    /// `SIGSEGV`.
    default void mmapNothingOver(MemorySegment where) throws ErrnoException {
        int fixed = 0x10;
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed;
        checked("mmap", libc().mmap(where.address(), where.byteSize(), PROT_NONE, flags, -1, 0));
    }

    /// Ends a mapping.
    default void munmap(MemorySegment mapping) throws ErrnoException {
        checked("munmap", libc().munmap(mapping.address(), mapping.byteSize()));
    }

    /// The size of a page of memory, in bytes.
    default int pageSize() {
        return libc().getpagesize();
    }

    // --- events

    /// Makes a counter of events. Reading one that is 0 answers `EAGAIN`.
    default Fd eventfd() throws ErrnoException {
        return opened("eventfd", libc().eventfd(0, Fcntl.O_CLOEXEC | Fcntl.O_NONBLOCK), libc());
    }

    /// Makes an empty set of descriptors to wait for.
    default Fd epollCreate() throws ErrnoException {
        return opened("epoll_create1", libc().epoll_create1(Fcntl.O_CLOEXEC), libc());
    }

    /// Adds a descriptor to wait for `events`. It leaves the set when its file is closed
    /// everywhere.
    default void epollAdd(Fd epoll, Fd fd, int events) throws ErrnoException {
        int add = 1;
        MemorySegment event = Scratch.mine().struct;
        event.set(JAVA_INT, 0, events);
        event.set(JAVA_LONG, 8, 0L); // the rest of struct epoll_event, which is packed on x86-64 only
        event.set(JAVA_INT, 4, 0);
        checked("epoll_ctl", libc().epoll_ctl(epoll.number(), add, fd.number(), event.address()));
    }

    /// Takes a descriptor out of the set.
    default void epollRemove(Fd epoll, Fd fd) throws ErrnoException {
        int remove = 2;
        checked("epoll_ctl", libc().epoll_ctl(epoll.number(), remove, fd.number(), 0));
    }

    /// Waits for an event.
    ///
    /// @param timeout in milliseconds; 0 only looks, -1 waits for ever
    /// @return whether there was one
    default boolean epollWait(Fd epoll, int timeout) throws ErrnoException {
        long event = Scratch.mine().struct.address();
        int events;
        do {
            events = libc().epoll_wait(epoll.number(), event, 1, timeout);
        } while (interrupted(events));
        return checked("epoll_wait", events) > 0;
    }

    /// Waits until one of up to 31 descriptors can be read without blocking, or its peer is gone.
    ///
    /// @param timeout in milliseconds; 0 only looks, -1 waits for ever
    /// @return a bit for each descriptor for which that is so, the first one's the lowest
    default int poll(List<Fd> fds, int timeout) throws ErrnoException {
        MemorySegment pollfds = Scratch.mine().struct.asSlice(0, 8L * fds.size());
        for (int i = 0; i < fds.size(); i++) { // struct pollfd: int fd; short events, revents
            pollfds.set(JAVA_INT, 8L * i, fds.get(i).number());
            pollfds.set(JAVA_INT, 8L * i + 4, POLLIN);
        }
        int result;
        do {
            result = libc().poll(pollfds.address(), fds.size(), timeout);
        } while (interrupted(result));
        checked("poll", result);
        int ready = 0;
        for (int i = 0; i < fds.size(); i++) {
            ready |= pollfds.get(JAVA_SHORT, 8L * i + 6) == 0 ? 0 : 1 << i;
        }
        return ready;
    }

    /// Waits until a descriptor can be written without blocking, or its peer is gone.
    ///
    /// @param timeout in milliseconds; 0 only looks
    default boolean canBeWritten(Fd fd, int timeout) {
        MemorySegment pollfd = Scratch.mine().struct.asSlice(0, 8);
        pollfd.set(JAVA_INT, 0, fd.number());
        pollfd.set(JAVA_INT, 4, POLLOUT);
        return libc().poll(pollfd.address(), 1, timeout) == 1;
    }

    // --- the process

    /// Replaces the program that this process runs. Its number, its environment and what it has
    /// open without `O_CLOEXEC` stay; all other threads are gone.
    ///
    /// @param command the program, looked for as a shell does, and its arguments
    /// @throws ErrnoException if it cannot be; else there is no return
    default void execute(List<String> command) throws ErrnoException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment argv = arena.allocate(ADDRESS, command.size() + 1L); // the last one is NULL
            for (int i = 0; i < command.size(); i++) {
                argv.setAtIndex(ADDRESS, i, arena.allocateFrom(command.get(i)));
            }
            long program = argv.get(ADDRESS, 0).address();
            checked(command.getFirst(), libc().execvp(program, argv.address()));
        }
    }

    /// The calling thread's effective user.
    default int effectiveUser() throws ErrnoException {
        return effectiveId(SyscallNumber.GETRESUID);
    }

    /// The calling thread's effective group.
    default int effectiveGroup() throws ErrnoException {
        return effectiveId(SyscallNumber.GETRESGID);
    }

    /// The second of three ids.
    private int effectiveId(SyscallNumber call) throws ErrnoException {
        MemorySegment ids = Scratch.mine().struct; // real, effective, saved
        long at = ids.address();
        checked(call.name(), libc().syscall(call.number, at, at + 4, at + 8));
        return ids.get(JAVA_INT, 4);
    }

    /// How many open files this process may have.
    default long openFileLimit() throws ErrnoException {
        return openFileLimits().get(JAVA_LONG, 0);
    }

    /// Sets how many open files this process may have.
    ///
    /// @throws ErrnoException `EPERM` if it may not set so many
    default void setOpenFileLimit(long files) throws ErrnoException {
        MemorySegment limits = openFileLimits();
        long hard = limits.get(JAVA_LONG, 8);
        limits.set(JAVA_LONG, 0, files);
        limits.set(JAVA_LONG, 8, Long.compareUnsigned(hard, files) < 0 ? files : hard);
        checked("prlimit", libc().prlimit(0, RLIMIT_NOFILE, limits.address(), 0));
    }

    /// Allows this process as many open files as it can have, and answers how many.
    ///
    /// A guest keeps a descriptor for each file that it knows: with the usual 1024 it would not get
    /// far. Root may go beyond the limit that it was started with, everybody else up to it.
    default long raiseOpenFileLimit() throws ErrnoException {
        long plenty = 1_000_000; // below fs.nr_open, which is the kernel's own limit
        long hard = openFileLimits().get(JAVA_LONG, 8);
        if (Long.compareUnsigned(hard, plenty) < 0) {
            try {
                setOpenFileLimit(plenty);
                return plenty;
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EPERM) {
                    throw e;
                }
            }
        }
        setOpenFileLimit(hard);
        return hard;
    }

    /// `struct rlimit`: the limit that holds, and the one up to which it may be raised.
    private MemorySegment openFileLimits() throws ErrnoException {
        MemorySegment limits = Scratch.mine().struct;
        checked("prlimit", libc().prlimit(0, RLIMIT_NOFILE, 0, limits.address()));
        return limits;
    }

    /// Sets which permissions a file does *not* get at its creation, and answers what was set
    /// before.
    default int umask(int mask) {
        return libc().umask(mask);
    }

    /// Gives the calling thread a umask, a working directory and a root of its own. They are the
    /// same at first, but until then all threads of the process have them together.
    default void unshareUmask() throws ErrnoException {
        checked("unshare", libc().unshare(Sandbox.CLONE_FS));
    }

    /// The number of the calling thread, as `/proc/self/task` has it.
    default int gettid() {
        return (int) libc().syscall(SyscallNumber.GETTID.number, 0, 0, 0);
    }
}
