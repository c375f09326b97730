package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static vitrine.posix.Syscalls.checked;
import static vitrine.posix.Syscalls.interrupted;
import static vitrine.posix.Syscalls.opened;

import java.lang.foreign.MemorySegment;
import vitrine.wire.Name;

/// System calls between a file and its [FileHandle].
///
/// `struct file_handle`: unsigned handle_bytes, int handle_type, then the bytes.
public sealed interface HandleCalls permits Syscalls {

    /// The C library that the calls are made through.
    Libc libc();

    /// The handle of the file that `fd` refers to.
    ///
    /// @throws ErrnoException `EOPNOTSUPP` if its file system has no handles: overlayfs without
    ///     `nfs_export`, for one
    default FileHandle fileHandle(Fd fd) throws ErrnoException {
        return fileHandle(fd, Scratch.mine().noName(), Fcntl.AT_EMPTY_PATH);
    }

    /// The handle of `name` in `dir`; of a symbolic link, its own.
    default FileHandle fileHandleAt(Fd dir, Name name) throws ErrnoException {
        return fileHandle(dir, Scratch.mine().name("name_to_handle_at", name), 0);
    }

    /// The call itself.
    private FileHandle fileHandle(Fd dir, long path, int flags) throws ErrnoException {
        MemorySegment handle = Scratch.mine().struct;
        handle.set(JAVA_INT, 0, FileHandle.MOST_BYTES);
        long mountId = 8 + FileHandle.MOST_BYTES; // behind the handle
        long at = handle.address();
        checked("name_to_handle_at", libc().name_to_handle_at(dir.number(), path, at, at + mountId, flags));
        byte[] bytes = handle.asSlice(8, handle.get(JAVA_INT, 0)).toArray(JAVA_BYTE);
        return new FileHandle(handle.get(JAVA_INT, 4), bytes, handle.get(JAVA_INT, mountId));
    }

    /// Opens the file that has this handle, wherever it is by now. Needs `CAP_DAC_READ_SEARCH`,
    /// since no permission of any directory above it is checked.
    ///
    /// @param mount any file of the mount that the handle came from, not opened with `O_PATH`
    /// @throws ErrnoException `ESTALE` if the file is gone
    default Fd openByHandle(Fd mount, FileHandle handle, int flags) throws ErrnoException {
        MemorySegment struct = Scratch.mine().struct;
        struct.set(JAVA_INT, 0, handle.bytes().length);
        struct.set(JAVA_INT, 4, handle.type());
        MemorySegment.copy(handle.bytes(), 0, struct, JAVA_BYTE, 8, handle.bytes().length);
        int fd;
        do {
            fd = libc().open_by_handle_at(mount.number(), struct.address(), flags | Fcntl.O_CLOEXEC);
        } while (interrupted(fd));
        return opened("open_by_handle_at", fd, libc());
    }
}
