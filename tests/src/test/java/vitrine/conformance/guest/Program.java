package vitrine.conformance.guest;

import java.util.List;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// A program that makes the calls of a history: one in the guest, one on the host. Where C hands
/// out file descriptors, the history says which slot a file goes into.
interface Program {

    /// open(2) into a slot, after whatever was open there has been closed.
    void open(int slot, String path, int flags, int mode) throws ErrnoException;

    /// The same, and fstat(2) of what `O_TRUNC` has emptied.
    default void openAndLook(int slot, String path, int flags, int mode) throws ErrnoException {
        open(slot, path, flags, mode);
        if ((flags & Fcntl.O_TRUNC) != 0) {
            fstat(slot);
        }
    }

    void close(int slot) throws ErrnoException;

    byte[] read(int slot, int count) throws ErrnoException;

    byte[] pread(int slot, int count, long offset) throws ErrnoException;

    int write(int slot, byte[] bytes) throws ErrnoException;

    int pwrite(int slot, byte[] bytes, long offset) throws ErrnoException;

    long lseek(int slot, long offset, int whence) throws ErrnoException;

    /// lseek(2), but the position of a directory is the file system's own business.
    default Object seek(int slot, long offset, int whence) throws ErrnoException {
        return Stat.isDirectory(fstat(slot).mode()) ? "directory" : lseek(slot, offset, whence);
    }

    /// The same for data or a hole in what the host has got.
    default Object seekHole(int slot, long offset, int whence) throws ErrnoException {
        fsync(slot);
        return seek(slot, offset, whence);
    }

    void ftruncate(int slot, long size) throws ErrnoException;

    void fallocate(int slot, int mode, long offset, long length) throws ErrnoException;

    void fsync(int slot) throws ErrnoException;

    /// copy_file_range(2).
    ///
    /// @param from a slot and an offset
    /// @param to a slot and an offset
    long copy(Place from, Place to, long length) throws ErrnoException;

    /// A place in an open file.
    record Place(int slot, long offset) {}

    Status fstat(int slot) throws ErrnoException;

    Status stat(String path, boolean follow) throws ErrnoException;

    /// Names and types in a directory, sorted.
    List<String> readdir(String path) throws ErrnoException;

    void truncate(String path, long size) throws ErrnoException;

    void chmod(String path, int mode) throws ErrnoException;

    void chown(String path, int uid, int gid, boolean follow) throws ErrnoException;

    /// utimensat(2): seconds, or null for now.
    void utimens(String path, Long atime, Long mtime) throws ErrnoException;

    void mkdir(String path, int mode) throws ErrnoException;

    void mknod(String path, int mode, int device) throws ErrnoException;

    void symlink(String target, String path) throws ErrnoException;

    String readlink(String path) throws ErrnoException;

    void link(String existing, String path) throws ErrnoException;

    void unlink(String path) throws ErrnoException;

    void rmdir(String path) throws ErrnoException;

    void rename(String from, String to, int flags) throws ErrnoException;

    byte[] getxattr(String path, String name) throws ErrnoException;

    void setxattr(String path, String name, byte[] value, int flags) throws ErrnoException;

    List<String> listxattr(String path) throws ErrnoException;

    void removexattr(String path, String name) throws ErrnoException;

    void umask(int mask) throws ErrnoException;

    /// What a program gets to see of a file, but numbers and times that differ anyway.
    ///
    /// @param size 0 of directories, whose size is the file system's own business
    record Status(int mode, int nlink, int uid, int gid, long size, int device) {

        @Override
        public String toString() {
            return "0%o %d links, %d:%d, %d bytes, device %x".formatted(mode, nlink, uid, gid, size, device);
        }
    }
}
