package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static vitrine.posix.Syscalls.checked;
import static vitrine.posix.Syscalls.interrupted;
import static vitrine.posix.Syscalls.opened;

import java.lang.foreign.MemorySegment;
import java.util.List;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// System calls that open files, and those on the data of an open file.
public sealed interface FileCalls permits Syscalls {

    /// The C library that the calls are made through.
    Libc libc();

    /// Opens `name` in the directory `dir`, and creates it if `flags` say so.
    ///
    /// @param name one component; the caller has made sure of that
    /// @param flags `O_…` of [Fcntl]; `O_CLOEXEC` is added
    /// @param mode the permissions of a file that is created, before the umask
    default Fd openat(Fd dir, Name name, int flags, int mode) throws ErrnoException {
        long path = Scratch.mine().name("openat", name);
        int fd;
        do {
            fd = libc().openat(dir.number(), path, flags | Fcntl.O_CLOEXEC, mode);
        } while (interrupted(fd));
        return opened("openat", fd, libc());
    }

    /// Opens once more the file that `pathFd` refers to, typically an `O_PATH` descriptor that can
    /// be looked at but not read. By way of `/proc/self/fd`, so no name is resolved again.
    default Fd reopen(Fd pathFd, int flags) throws ErrnoException {
        long path = Scratch.mine().procPath(pathFd);
        int fd;
        do {
            fd = libc().openat(Fcntl.AT_FDCWD, path, flags | Fcntl.O_CLOEXEC, 0);
        } while (interrupted(fd));
        return opened("openat", fd, libc());
    }

    /// Opens a path of the host's, such as the shared directory. Never for a path from the guest.
    default Fd openPath(String hostPath, int flags) throws ErrnoException {
        long path = Scratch.mine().text("openat", hostPath);
        int fd;
        do {
            fd = libc().openat(Fcntl.AT_FDCWD, path, flags | Fcntl.O_CLOEXEC, 0);
        } while (interrupted(fd));
        return opened("openat", fd, libc());
    }

    /// A second descriptor for the same open file, with the same position and flags.
    default Fd dup(Fd fd) throws ErrnoException {
        return opened("fcntl", libc().fcntl(fd.number(), Fcntl.F_DUPFD_CLOEXEC, 0), libc());
    }

    /// Closes a descriptor and reports what [Fd#close] does not: a write that failed late, as on
    /// NFS.
    default void close(Fd fd) throws ErrnoException {
        int number = fd.giveUp();
        if (number != -1) {
            checked("close", libc().close(number));
        }
    }

    /// `fcntl(2)` with a plain number as its argument.
    default int fcntl(Fd fd, int command, long argument) throws ErrnoException {
        return checked("fcntl", libc().fcntl(fd.number(), command, argument));
    }

    /// Reads from `offset` on straight into `into`, wherever its parts lie.
    ///
    /// @param into native memory; an array on the Java heap is refused
    /// @param offset where to read, or -1 for the file's own position
    /// @param flags `RWF_…` of [Fcntl]
    /// @return how many bytes were read; fewer than asked for at the end of the file
    default long preadv2(Fd fd, Buffers into, long offset, int flags) throws ErrnoException {
        List<MemorySegment> parts = into.parts();
        if (parts.size() > Scratch.IOV_MAX) {
            return inTurns(into, offset, (some, at) -> preadv2(fd, some, at, flags));
        }
        long iovecs = Scratch.mine().iovecs(parts);
        long read;
        do {
            read = libc().preadv2(fd.number(), iovecs, parts.size(), offset, flags);
        } while (interrupted(read));
        return checked("preadv2", read);
    }

    /// Writes `data` to the file from `offset` on, straight from wherever its parts lie.
    ///
    /// @param data native memory; an array on the Java heap is refused
    /// @param offset where to write, or -1 for the file's own position
    /// @param flags `RWF_…` of [Fcntl]; with `RWF_APPEND` the file's end counts, not `offset`
    /// @return how many bytes were written
    default long pwritev2(Fd fd, Buffers data, long offset, int flags) throws ErrnoException {
        List<MemorySegment> parts = data.parts();
        if (parts.size() > Scratch.IOV_MAX) {
            return inTurns(data, offset, (some, at) -> pwritev2(fd, some, at, flags));
        }
        long iovecs = Scratch.mine().iovecs(parts);
        long written;
        do {
            written = libc().pwritev2(fd.number(), iovecs, parts.size(), offset, flags);
        } while (interrupted(written));
        return checked("pwritev2", written);
    }

    /// More parts than the kernel takes at once: as many calls as needed, ended by a short one.
    private static long inTurns(Buffers all, long offset, Turn turn) throws ErrnoException {
        long done = 0;
        List<MemorySegment> parts = all.parts();
        for (int from = 0; from < parts.size(); from += Scratch.IOV_MAX) {
            int to = Math.min(parts.size(), from + Scratch.IOV_MAX);
            Buffers some = Buffers.of(parts.subList(from, to));
            try {
                long moved = turn.take(some, offset == -1 ? -1 : offset + done);
                done += moved;
                if (moved < some.size()) {
                    break;
                }
            } catch (ErrnoException e) {
                if (done == 0) {
                    throw e;
                }
                break; // what was done counts; the error comes back with the next request
            }
        }
        return done;
    }

    /// One of several calls that together do what was asked for.
    @FunctionalInterface
    interface Turn {
        /// Reads or writes these bytes at this place in the file, and answers how many.
        long take(Buffers some, long offset) throws ErrnoException;
    }

    /// Moves the file's position, or finds data and holes (`SEEK_DATA`, `SEEK_HOLE`).
    default long lseek(Fd fd, long offset, int whence) throws ErrnoException {
        return checked("lseek", libc().lseek(fd.number(), offset, whence));
    }

    /// Copies up to `length` bytes between two files inside the kernel, and answers how many.
    default long copyFileRange(Fd in, long inOffset, Fd out, long outOffset, long length) throws ErrnoException {
        MemorySegment offsets = Scratch.mine().struct;
        offsets.set(JAVA_LONG, 0, inOffset);
        offsets.set(JAVA_LONG, 8, outOffset);
        long address = offsets.address();
        long copied;
        do {
            copied = libc().copy_file_range(in.number(), address, out.number(), address + 8, length, 0);
        } while (interrupted(copied));
        return checked("copy_file_range", copied);
    }

    /// Allocates, frees or moves space, depending on `mode` (`FALLOC_FL_…` of [Fcntl]).
    default void fallocate(Fd fd, int mode, long offset, long length) throws ErrnoException {
        int result;
        do {
            result = libc().fallocate(fd.number(), mode, offset, length);
        } while (interrupted(result));
        checked("fallocate", result);
    }

    /// Sets the size of a file that is open for writing.
    default void ftruncate(Fd fd, long size) throws ErrnoException {
        int result;
        do {
            result = libc().ftruncate(fd.number(), size);
        } while (interrupted(result));
        checked("ftruncate", result);
    }

    /// Writes the file's data and attributes to the disk.
    default void fsync(Fd fd) throws ErrnoException {
        int result;
        do {
            result = libc().fsync(fd.number());
        } while (interrupted(result));
        checked("fsync", result);
    }

    /// Writes the file's data to the disk, and of its attributes what is needed to find them.
    default void fdatasync(Fd fd) throws ErrnoException {
        int result;
        do {
            result = libc().fdatasync(fd.number());
        } while (interrupted(result));
        checked("fdatasync", result);
    }

    /// Writes the whole file system of the file to the disk. The file must not be open with
    /// `O_PATH`.
    default void syncfs(Fd fd) throws ErrnoException {
        checked("syncfs", libc().syncfs(fd.number()));
    }

    /// Sets, changes or gives up a lock of the *open file description* behind `fd`, without waiting
    /// (`F_OFD_SETLK`). Unlike a lock of the process it conflicts with those of other descriptors
    /// here, and does not go when one of them is closed.
    ///
    /// @throws ErrnoException `EAGAIN` if a lock of somebody else is in the way
    default void setLock(Fd fd, RangeLock lock) throws ErrnoException {
        long flock = structFlock(lock).address();
        int result;
        do {
            result = libc().fcntl(fd.number(), Fcntl.F_OFD_SETLK, flock);
        } while (interrupted(result));
        checked("fcntl", result);
    }

    /// Which lock of somebody else would be in the way of `lock` (`F_OFD_GETLK`); an `F_UNLCK` if
    /// there is none.
    default RangeLock lockInTheWayOf(Fd fd, RangeLock lock) throws ErrnoException {
        MemorySegment flock = structFlock(lock);
        checked("fcntl", libc().fcntl(fd.number(), Fcntl.F_OFD_GETLK, flock.address()));
        return RangeLock.ofLength(flock.get(JAVA_SHORT, 0), flock.get(JAVA_LONG, 8), flock.get(JAVA_LONG, 16));
    }

    /// `struct flock`: l_type, l_whence, l_start at 8, l_len at 16, l_pid at 24, which must be 0.
    private static MemorySegment structFlock(RangeLock lock) {
        MemorySegment flock = Scratch.mine().struct;
        flock.asSlice(0, 32).fill((byte) 0); // l_whence 0: from the beginning of the file
        flock.set(JAVA_SHORT, 0, (short) lock.type());
        flock.set(JAVA_LONG, 8, lock.start());
        flock.set(JAVA_LONG, 16, lock.length());
        return flock;
    }

    /// `flock(2)`: locks the whole file for the open file description behind `fd`, or gives the
    /// lock up.
    ///
    /// @param operation `LOCK_…` of [Fcntl]
    default void flock(Fd fd, int operation) throws ErrnoException {
        int result;
        do {
            result = libc().flock(fd.number(), operation);
        } while (interrupted(result));
        checked("flock", result);
    }

    /// Reads the next entries of a directory as the kernel lays them out, see [DirectoryEntry].
    ///
    /// @return how many bytes of `into` are filled; 0 at the end of the directory
    default int getdents64(Fd dir, MemorySegment into) throws ErrnoException {
        return (int) checked("getdents64", libc().getdents64(dir.number(), into.address(), into.byteSize()));
    }
}
