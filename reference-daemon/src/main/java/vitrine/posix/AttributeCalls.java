package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static vitrine.posix.Syscalls.checked;
import static vitrine.posix.Syscalls.interrupted;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// System calls on the attributes of a file: status, owner, mode, times, size, extended attributes.
///
/// All but [#ioctl] work on `O_PATH` descriptors of every kind of file, symbolic links included.
/// Where the kernel has no such call, the path `/proc/self/fd/N` leads to the file; it is no link
/// that a guest could have made, and what it leads to is not resolved again.
public sealed interface AttributeCalls permits Syscalls {

    /// The C library that the calls are made through.
    Libc libc();

    /// The status of the file that `fd` is open on.
    ///
    /// @param mask which fields are wanted, `STATX_…` of [Stat]
    default FileStatus statx(Fd fd, int mask) throws ErrnoException {
        return statx(fd, mask, 0);
    }

    /// The same, with the flags of `statx(2)` that say how fresh it has to be
    /// (`AT_STATX_FORCE_SYNC` and its like).
    default FileStatus statx(Fd fd, int mask, int sync) throws ErrnoException {
        Scratch scratch = Scratch.mine();
        long into = scratch.struct.address();
        checked("statx", libc().statx(fd.number(), scratch.noName(), Fcntl.AT_EMPTY_PATH | sync, mask, into));
        return FileStatus.read(scratch.struct);
    }

    /// The status of `name` in `dir`; of a symbolic link, its own. Does not trigger automounts.
    default FileStatus statxAt(Fd dir, Name name, int mask) throws ErrnoException {
        Scratch scratch = Scratch.mine();
        long path = scratch.name("statx", name);
        int flags = Fcntl.AT_SYMLINK_NOFOLLOW | Fcntl.AT_NO_AUTOMOUNT;
        checked("statx", libc().statx(dir.number(), path, flags, mask, scratch.struct.address()));
        return FileStatus.read(scratch.struct);
    }

    /// How large and how full the file's file system is.
    default FileSystemStatus fstatfs(Fd fd) throws ErrnoException {
        MemorySegment struct = Scratch.mine().struct;
        checked("fstatfs", libc().fstatfs(fd.number(), struct.address()));
        return FileSystemStatus.read(struct);
    }

    /// Sets permissions and set-ID bits. A symbolic link has none to set: `EOPNOTSUPP`.
    default void chmod(Fd pathFd, int mode) throws ErrnoException {
        checked("fchmodat", libc().fchmodat(Fcntl.AT_FDCWD, Scratch.mine().procPath(pathFd), mode, 0));
    }

    /// Whether the calling thread, as whom it is now, may read (4), write (2) or execute (1) the
    /// file: a refusal is thrown, `EACCES` as a rule.
    default void access(Fd pathFd, int mask) throws ErrnoException {
        long path = Scratch.mine().procPath(pathFd);
        checked("faccessat", libc().faccessat(Fcntl.AT_FDCWD, path, mask, Fcntl.AT_EACCESS));
    }

    /// Sets the owner and the group; -1 leaves one as it is. Clears the set-ID bits of a program.
    default void chown(Fd pathFd, int uid, int gid) throws ErrnoException {
        long noName = Scratch.mine().noName();
        checked("fchownat", libc().fchownat(pathFd.number(), noName, uid, gid, Fcntl.AT_EMPTY_PATH));
    }

    /// Sets the times of last access and last modification, see [Timespec#NOW] and [Timespec#OMIT].
    default void utimens(Fd pathFd, Timespec access, Timespec modification) throws ErrnoException {
        Scratch scratch = Scratch.mine();
        MemorySegment times = scratch.struct;
        times.set(JAVA_LONG, 0, access.seconds());
        times.set(JAVA_LONG, 8, access.nanos());
        times.set(JAVA_LONG, 16, modification.seconds());
        times.set(JAVA_LONG, 24, modification.nanos());
        checked("utimensat", libc().utimensat(Fcntl.AT_FDCWD, scratch.procPath(pathFd), times.address(), 0));
    }

    /// Sets the size of a regular file that need not be open for writing.
    default void truncate(Fd pathFd, long size) throws ErrnoException {
        long path = Scratch.mine().procPath(pathFd);
        int result;
        do {
            result = libc().truncate(path, size);
        } while (interrupted(result));
        checked("truncate", result);
    }

    /// Reads or changes flags of a file by an `ioctl(2)` that takes a struct.
    ///
    /// @param command `FS_IOC_…` of `linux/fs.h`
    /// @param struct what it points to before
    /// @return what it points to afterwards
    default byte[] ioctl(Fd fd, int command, byte[] struct) throws ErrnoException {
        MemorySegment memory = Scratch.mine().struct.asSlice(0, struct.length);
        memory.copyFrom(MemorySegment.ofArray(struct));
        checked("ioctl", libc().ioctl(fd.number(), Integer.toUnsignedLong(command), memory.address()));
        return memory.toArray(JAVA_BYTE);
    }

    /// Sets an extended attribute.
    ///
    /// @param flags `XATTR_CREATE` or `XATTR_REPLACE` of [Fcntl], or 0
    default void setxattr(Fd pathFd, Name name, Buffers value, int flags) throws ErrnoException {
        if (value.size() > Scratch.XATTR_MAX) {
            throw new ErrnoException("setxattr", Errno.E2BIG);
        }
        Scratch scratch = Scratch.mine();
        long path = scratch.procPath(pathFd);
        long attribute = scratch.secondName("setxattr", name);
        long size = value.size();
        checked("setxattr", libc().setxattr(path, attribute, scratch.inOnePiece(value), size, flags));
    }

    /// Reads an extended attribute.
    ///
    /// @param into where to; of size 0, only the attribute's size is asked for
    /// @return the attribute's size; if that does not fit, `ERANGE` is thrown
    default int getxattr(Fd pathFd, Name name, Buffers into) throws ErrnoException {
        Scratch scratch = Scratch.mine();
        long path = scratch.procPath(pathFd);
        long attribute = scratch.secondName("getxattr", name);
        long room = Math.min(into.size(), Scratch.XATTR_MAX);
        long size = checked("getxattr", libc().getxattr(path, attribute, scratch.roomFor(into), room));
        scratch.scatter(into, room == 0 ? 0 : size);
        return (int) size;
    }

    /// The names of all extended attributes that the calling thread may see.
    default List<Name> listxattr(Fd pathFd) throws ErrnoException {
        Scratch scratch = Scratch.mine();
        long path = scratch.procPath(pathFd);
        MemorySegment list = scratch.value();
        long size = checked("listxattr", libc().listxattr(path, list.address(), list.byteSize()));
        List<Name> names = new ArrayList<>();
        long start = 0;
        for (long at = 0; at < size; at++) {
            if (list.get(JAVA_BYTE, at) == 0) {
                names.add(Name.of(list.asSlice(start, at - start).toArray(JAVA_BYTE)));
                start = at + 1;
            }
        }
        return names;
    }

    /// Removes an extended attribute.
    default void removexattr(Fd pathFd, Name name) throws ErrnoException {
        Scratch scratch = Scratch.mine();
        long path = scratch.procPath(pathFd);
        checked("removexattr", libc().removexattr(path, scratch.secondName("removexattr", name)));
    }

    /// The same for a file that is open for reading or writing: without a path it takes half the
    /// time.
    default void fremovexattr(Fd fd, Name name) throws ErrnoException {
        checked("fremovexattr", libc().fremovexattr(fd.number(), Scratch.mine().name("fremovexattr", name)));
    }
}
