package vitrine.posix;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.StdCall;

/// The C library, each function as its man page declares it.
///
/// Pointers are `long` addresses of native memory; `size_t`, `ssize_t` and `off_t` are `long`,
/// which they are on 64-bit Linux. Constants are in [Fcntl] and [Stat]. This interface is the only
/// way from Java to the host kernel: a decorator (a [java.lang.reflect.Proxy]) around it sees every
/// system call. All callers but [Syscalls] and its neighbours in this package use [Syscalls]
/// instead.
///
/// Only what is used is declared: each function costs start-up time.
///
/// Functions of six arguments are marked [StdCall]. That calling convention does not exist on
/// 64-bit Linux; the mark merely keeps jnr-ffi from calling them by machine code of its own, which
/// on x86-64 passes the return address as the sixth argument (jnr-ffi 2.2.19, its issue 181), so
/// that libffi calls them instead.
public interface Libc {

    /// Binds the functions to the C library of the process. Once a process: it takes tens of
    /// milliseconds.
    static Libc load() {
        // By its file name: for "c", jnr-ffi would first try libc.so, which is a linker script
        // where there are header files.
        return LibraryLoader.create(Libc.class).load("libc.so.6");
    }

    /// The `errno` that the last call *through this interface, on this thread* left behind.
    ///
    /// jnr-ffi saves it in a variable of the thread at the end of each native call, so nothing that
    /// the JVM does in between (a collection, loading a class) disturbs it; only another call
    /// through this interface does. A decorator must therefore make none after the call it wraps,
    /// or put the number back by [#setLastErrno].
    static int lastErrno() {
        return Errnos.RUNTIME.getLastError();
    }

    /// Sets what [#lastErrno] answers: for decorators, and for stand-ins that only play the kernel.
    static void setLastErrno(int errno) {
        Errnos.RUNTIME.setLastError(errno);
    }

    // --- files

    int openat(int dirfd, long pathname, int flags, int mode);

    int close(int fd);

    int statx(int dirfd, long pathname, int flags, int mask, long statxbuf);

    long preadv2(int fd, long iov, int iovcnt, long offset, int flags);

    long pwritev2(int fd, long iov, int iovcnt, long offset, int flags);

    long read(int fd, long buf, long count);

    long write(int fd, long buf, long count);

    long lseek(int fd, long offset, int whence);

    @StdCall
    long copy_file_range(int fdIn, long offIn, int fdOut, long offOut, long len, int flags);

    int fallocate(int fd, int mode, long offset, long len);

    int truncate(long path, long length);

    int ftruncate(int fd, long length);

    int fsync(int fd);

    int fdatasync(int fd);

    int syncfs(int fd);

    int fstatfs(int fd, long buf);

    long getdents64(int fd, long dirp, long count);

    /// Variadic in C; the third argument, an `int` or a pointer, is passed alike on our
    /// architectures.
    int fcntl(int fd, int cmd, long arg);

    int flock(int fd, int operation);

    /// Variadic in C, as `fcntl` is.
    int ioctl(int fd, long request, long argp);

    // --- names

    int mkdirat(int dirfd, long pathname, int mode);

    int mknodat(int dirfd, long pathname, int mode, long dev);

    int symlinkat(long target, int newdirfd, long linkpath);

    int linkat(int olddirfd, long oldpath, int newdirfd, long newpath, int flags);

    int unlinkat(int dirfd, long pathname, int flags);

    int renameat2(int olddirfd, long oldpath, int newdirfd, long newpath, int flags);

    int name_to_handle_at(int dirfd, long pathname, long handle, long mountId, int flags);

    int open_by_handle_at(int mountFd, long handle, int flags);

    long readlinkat(int dirfd, long pathname, long buf, long bufsiz);

    // --- attributes

    int fchmodat(int dirfd, long pathname, int mode, int flags);

    int fchownat(int dirfd, long pathname, int owner, int group, int flags);

    int faccessat(int dirfd, long pathname, int mode, int flags);

    int utimensat(int dirfd, long pathname, long times, int flags);

    int setxattr(long path, long name, long value, long size, int flags);

    long getxattr(long path, long name, long value, long size);

    long listxattr(long path, long list, long size);

    int removexattr(long path, long name);

    int fremovexattr(int fd, long name);

    // --- memory and events

    int memfd_create(long name, int flags);

    @StdCall
    long mmap(long addr, long length, int prot, int flags, int fd, long offset);

    int munmap(long addr, long length);

    int getpagesize();

    int eventfd(int initval, int flags);

    int epoll_create1(int flags);

    int epoll_ctl(int epfd, int op, int fd, long event);

    int epoll_wait(int epfd, long events, int maxevents, int timeout);

    int poll(long fds, long nfds, int timeout);

    // --- sockets

    int socket(int domain, int type, int protocol);

    int socketpair(int domain, int type, int protocol, long sv);

    int bind(int sockfd, long addr, int addrlen);

    int listen(int sockfd, int backlog);

    int accept4(int sockfd, long addr, long addrlen, int flags);

    int connect(int sockfd, long addr, int addrlen);

    long recvmsg(int sockfd, long msg, int flags);

    long sendmsg(int sockfd, long msg, int flags);

    int shutdown(int sockfd, int how);

    // --- the process and its threads

    int execvp(long file, long argv);

    int prlimit(int pid, int resource, long newLimit, long oldLimit);

    int umask(int mask);

    int unshare(int flags);

    int chroot(long path);

    int fchdir(int fd);

    int mount(long source, long target, long filesystemtype, long mountflags, long data);

    int umount2(long target, int flags);

    int prctl(int option, long arg2, long arg3, long arg4, long arg5);

    /// A system call by its number ([SyscallNumber]), for those where glibc's own function does
    /// more than the kernel: its `setresuid` changes all threads, the system call only the calling
    /// one.
    long syscall(long number, long arg1, long arg2, long arg3);

    /// The same with two arguments more.
    @StdCall
    long syscall(long number, long arg1, long arg2, long arg3, long arg4, long arg5);

    /// Found by the first call, not by naming the interface.
    final class Errnos {

        private static final Runtime RUNTIME = Runtime.getSystemRuntime();

        private Errnos() {}
    }
}
