package vitrine.guest.kernel;

import java.util.List;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.Kstatfs;
import vitrine.fuse.struct.Statx;
import vitrine.guest.driver.BusErrorException;
import vitrine.posix.ErrnoException;
import vitrine.posix.RangeLock;
import vitrine.posix.Timespec;

/// The system calls of the guest's kernel, as far as they concern the shared directory.
///
/// This is the border between a program and its kernel: a tap here sees what programs ask for,
/// and everything behind it is what their kernel makes of it. Paths start at the root of the shared
/// directory. Every method throws an [ErrnoException] with the errno that the program would see.
public interface GuestKernel extends AutoCloseable {

    /// Mounts: INIT. Must come first.
    void mount() throws ErrnoException;

    /// open(2). With `O_CREAT`, `mode` and the task's umask give the permissions.
    OpenFile open(Task task, String path, int flags, int mode) throws ErrnoException;

    /// close(2) of a descriptor, while there are others of the same open file (dup(2)).
    void flush(Task task, OpenFile file) throws ErrnoException;

    /// close(2) of the last descriptor of an open file description.
    void close(Task task, OpenFile file) throws ErrnoException;

    /// pread(2): up to `count` bytes; fewer at the end of the file.
    ///
    /// @param place where in its page the program's memory begins
    byte[] pread(Task task, OpenFile file, long offset, int count, int place) throws ErrnoException;

    /// pwrite(2), or with `O_APPEND` at the end of the file. Returns how many bytes were written.
    ///
    /// @param place where in its page the program's memory begins
    int pwrite(Task task, OpenFile file, long offset, byte[] bytes, int place) throws ErrnoException;

    /// io_submit(2) of a read: on its way when this returns, if the file was opened with
    /// `O_DIRECT`; otherwise over by then. What is wrong before anything is sent is thrown here.
    Completion<byte[]> submitRead(Task task, OpenFile file, long offset, int count) throws ErrnoException;

    /// io_submit(2) of a write, likewise. One that makes the file longer is over when this returns.
    Completion<Integer> submitWrite(Task task, OpenFile file, long offset, byte[] bytes) throws ErrnoException;

    /// lseek(2) with `SEEK_DATA`, `SEEK_HOLE` or `SEEK_END`: the resulting position.
    long seek(Task task, OpenFile file, long offset, int whence) throws ErrnoException;

    /// fallocate(2).
    void fallocate(Task task, OpenFile file, int mode, long offset, long length) throws ErrnoException;

    /// poll(2): which of the events there are now.
    int poll(Task task, OpenFile file, int events) throws ErrnoException;

    /// fsync(2), or fdatasync(2) if `dataOnly`.
    void fsync(Task task, OpenFile file, boolean dataOnly) throws ErrnoException;

    /// mmap(2).
    FileMapping mmap(Task task, OpenFile file, long offset, long length, FileMapping.Use use) throws ErrnoException;

    /// What a program finds that loads from such memory. No system call, but a page fault the first
    /// time.
    ///
    /// @throws BusErrorException if a page of it lies behind the end of the file
    byte[] load(Task task, FileMapping mapping, long at, int count) throws BusErrorException;

    /// What a program does that stores to such memory, likewise.
    void store(Task task, FileMapping mapping, long at, byte[] bytes) throws BusErrorException;

    /// msync(2), `MS_SYNC`.
    void msync(Task task, FileMapping mapping) throws ErrnoException;

    /// munmap(2).
    void munmap(Task task, FileMapping mapping) throws ErrnoException;

    /// copy_file_range(2): how many bytes were copied.
    long copyFileRange(Task task, OpenFile from, long fromOffset, OpenFile to, long toOffset, long length)
            throws ErrnoException;

    /// fcntl(2), `F_SETLK`, or if it is to wait, `F_SETLKW`.
    void lock(Task task, OpenFile file, RangeLock lock, boolean wait) throws ErrnoException;

    /// fcntl(2), `F_GETLK`: which lock is in the way of this one; of type `F_UNLCK` if none is.
    FileLock lockInTheWay(Task task, OpenFile file, RangeLock lock) throws ErrnoException;

    /// flock(2).
    void flock(Task task, OpenFile file, int operation) throws ErrnoException;

    /// ftruncate(2).
    void ftruncate(Task task, OpenFile file, long size) throws ErrnoException;

    /// fstat(2).
    Attr fstat(Task task, OpenFile file) throws ErrnoException;

    /// getdents64(2): what comes next in an open directory; nothing at the end.
    List<DirectoryEntry> getdents(Task task, OpenFile directory) throws ErrnoException;

    /// getdents64(2) until the end of the directory, from its beginning.
    List<DirectoryEntry> readDirectory(Task task, OpenFile directory) throws ErrnoException;

    /// stat(2), or lstat(2) unless links are followed.
    Attr stat(Task task, String path, boolean followLink) throws ErrnoException;

    /// statx(2) that asks for the time of birth too; its mask says whether there is one.
    Statx statx(Task task, String path, boolean followLink) throws ErrnoException;

    /// ioctl(2), `FS_IOC_GETFLAGS`: the flags that lsattr(1) shows.
    int fileFlags(Task task, OpenFile file) throws ErrnoException;

    /// ioctl(2), `FS_IOC_SETFLAGS`.
    void setFileFlags(Task task, OpenFile file, int flags) throws ErrnoException;

    /// statfs(2).
    Kstatfs statfs(Task task, String path) throws ErrnoException;

    /// truncate(2).
    void truncate(Task task, String path, long size) throws ErrnoException;

    /// chmod(2).
    void chmod(Task task, String path, int mode) throws ErrnoException;

    /// chown(2), or lchown(2) unless links are followed; -1 leaves an id as it is.
    void chown(Task task, String path, int uid, int gid, boolean followLink) throws ErrnoException;

    /// utimensat(2): null means now, as `UTIME_NOW` does.
    void utimens(Task task, String path, Timespec atime, Timespec mtime) throws ErrnoException;

    /// mkdir(2).
    void mkdir(Task task, String path, int mode) throws ErrnoException;

    /// mknod(2), for FIFOs, sockets and devices too.
    void mknod(Task task, String path, int mode, int rdev) throws ErrnoException;

    /// symlink(2).
    void symlink(Task task, String target, String path) throws ErrnoException;

    /// readlink(2).
    String readlink(Task task, String path) throws ErrnoException;

    /// link(2): does not follow `existing` if it is a symbolic link.
    void link(Task task, String existing, String path) throws ErrnoException;

    /// linkat(2) of an open file, by its path below `/proc/self/fd`.
    void link(Task task, OpenFile existing, String path) throws ErrnoException;

    /// unlink(2).
    void unlink(Task task, String path) throws ErrnoException;

    /// rmdir(2).
    void rmdir(Task task, String path) throws ErrnoException;

    /// renameat2(2); `flags` 0 is rename(2).
    void rename(Task task, String from, String to, int flags) throws ErrnoException;

    /// getxattr(2) of the file itself, not of what a link points to.
    byte[] getxattr(Task task, String path, String name) throws ErrnoException;

    /// The same for a program that has room for so many bytes, and does not ask how many there are.
    ///
    /// @throws ErrnoException ERANGE if the value is longer
    byte[] getxattr(Task task, String path, String name, int room) throws ErrnoException;

    /// setxattr(2), likewise.
    void setxattr(Task task, String path, String name, byte[] value, int flags) throws ErrnoException;

    /// listxattr(2), likewise.
    List<String> listxattr(Task task, String path) throws ErrnoException;

    /// The same for a program that has room for so many bytes, and does not ask how many there are.
    ///
    /// @throws ErrnoException ERANGE if the names are longer
    List<String> listxattr(Task task, String path, int room) throws ErrnoException;

    /// removexattr(2), likewise.
    void removexattr(Task task, String path, String name) throws ErrnoException;

    /// syncfs(2) of the mount.
    void sync(Task task) throws ErrnoException;

    /// Writes 3 to `/proc/sys/vm/drop_caches`: what is not in use is known no more.
    void dropCaches();

    /// umount(2): DESTROY. Open files are gone.
    @Override
    void close() throws ErrnoException;
}
