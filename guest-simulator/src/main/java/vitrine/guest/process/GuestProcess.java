package vitrine.guest.process;

import static vitrine.posix.Errno.EINVAL;

import java.util.List;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.Kstatfs;
import vitrine.fuse.struct.Statx;
import vitrine.guest.kernel.Completion;
import vitrine.guest.kernel.DirectoryEntry;
import vitrine.guest.kernel.FileMapping;
import vitrine.guest.kernel.GuestKernel;
import vitrine.guest.kernel.OpenFile;
import vitrine.guest.kernel.Task;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.RangeLock;
import vitrine.posix.Timespec;

/// A program in the guest: an identity, file descriptors, a working directory, and system calls.
///
/// Its methods are the calls of a C program, with the same names and meaning; where C returns -1
/// they throw an [ErrnoException] that carries the errno. A process belongs to one thread.
public final class GuestProcess {

    private final GuestKernel kernel;
    private Task task;
    private String workingDirectory = "/";
    private final Descriptors files = new Descriptors();

    /// A program with the given identity on a guest's kernel.
    public GuestProcess(GuestKernel kernel, Task task) {
        this.kernel = kernel;
        this.task = task;
    }

    /// Who the program runs as.
    public Task task() {
        return task;
    }

    /// The working directory, where relative paths start.
    public String getcwd() {
        return workingDirectory;
    }

    /// chdir(2).
    public void chdir(String path) throws ErrnoException {
        String directory = absolute(path);
        kernel.stat(task, directory.isEmpty() ? "" : directory + "/.", true); // it must be searchable, too
        workingDirectory = directory;
    }

    /// umask(2): returns the old one.
    public int umask(int newUmask) {
        int old = task.umask();
        task = task.withUmask(newUmask);
        return old;
    }

    /// open(2) of a file that exists.
    public int open(String path, int flags) throws ErrnoException {
        return open(path, flags, 0);
    }

    /// open(2); returns a file descriptor.
    public int open(String path, int flags, int mode) throws ErrnoException {
        return files.install(kernel.open(task, absolute(path), flags, mode));
    }

    /// dup(2).
    public int dup(int fd) throws ErrnoException {
        return files.install(files.get(fd));
    }

    /// close(2).
    public void close(int fd) throws ErrnoException {
        OpenFile file = files.remove(fd);
        if (files.has(file)) {
            kernel.flush(task, file);
        } else {
            kernel.close(task, file);
        }
    }

    /// read(2): at the position, which moves on; empty at the end of the file.
    public byte[] read(int fd, int count) throws ErrnoException {
        OpenFile file = files.get(fd);
        byte[] bytes = kernel.pread(task, file, file.position(), count, 0);
        file.position(file.position() + bytes.length);
        return bytes;
    }

    /// pread(2).
    public byte[] pread(int fd, int count, long offset) throws ErrnoException {
        return pread(fd, count, offset, 0);
    }

    /// pread(2) into memory that begins at `place` in its page.
    public byte[] pread(int fd, int count, long offset, int place) throws ErrnoException {
        requireOffset(offset);
        return kernel.pread(task, files.get(fd), offset, count, place);
    }

    /// write(2): at the position, or with `O_APPEND` at the end; returns how many bytes were
    /// written.
    public int write(int fd, byte[] bytes) throws ErrnoException {
        OpenFile file = files.get(fd);
        int written = kernel.pwrite(task, file, file.position(), bytes, 0);
        boolean append = (file.flags() & Fcntl.O_APPEND) != 0 && written > 0;
        file.position(append ? file.believedSize() : file.position() + written);
        return written;
    }

    /// pwrite(2).
    public int pwrite(int fd, byte[] bytes, long offset) throws ErrnoException {
        return pwrite(fd, bytes, offset, 0);
    }

    /// pwrite(2) of memory that begins at `place` in its page.
    public int pwrite(int fd, byte[] bytes, long offset, int place) throws ErrnoException {
        requireOffset(offset);
        return kernel.pwrite(task, files.get(fd), offset, bytes, place);
    }

    /// io_submit(2) of a read: see [GuestKernel#submitRead].
    public Completion<byte[]> submitRead(int fd, int count, long offset) throws ErrnoException {
        requireOffset(offset);
        return kernel.submitRead(task, files.get(fd), offset, count);
    }

    /// io_submit(2) of a write: see [GuestKernel#submitWrite].
    public Completion<Integer> submitWrite(int fd, byte[] bytes, long offset) throws ErrnoException {
        requireOffset(offset);
        return kernel.submitWrite(task, files.get(fd), offset, bytes);
    }

    /// lseek(2), with all five values of `whence`.
    public long lseek(int fd, long offset, int whence) throws ErrnoException {
        OpenFile file = files.get(fd);
        long position = switch (whence) {
            case Fcntl.SEEK_SET -> offset;
            case Fcntl.SEEK_CUR -> file.position() + offset;
            default -> kernel.seek(task, file, offset, whence);
        };
        if (position < 0) {
            throw new ErrnoException("lseek", EINVAL);
        }
        file.position(position);
        return position;
    }

    /// fallocate(2).
    public void fallocate(int fd, int mode, long offset, long length) throws ErrnoException {
        kernel.fallocate(task, files.get(fd), mode, offset, length);
    }

    /// fsync(2).
    public void fsync(int fd) throws ErrnoException {
        kernel.fsync(task, files.get(fd), false);
    }

    /// fdatasync(2).
    public void fdatasync(int fd) throws ErrnoException {
        kernel.fsync(task, files.get(fd), true);
    }

    /// fcntl(2), `F_SETLK`.
    public void lock(int fd, RangeLock lock) throws ErrnoException {
        kernel.lock(task, files.get(fd), lock, false);
    }

    /// fcntl(2), `F_SETLKW`.
    public void lockOrWait(int fd, RangeLock lock) throws ErrnoException {
        kernel.lock(task, files.get(fd), lock, true);
    }

    /// fcntl(2), `F_GETLK`.
    public FileLock lockInTheWay(int fd, RangeLock lock) throws ErrnoException {
        return kernel.lockInTheWay(task, files.get(fd), lock);
    }

    /// flock(2).
    public void flock(int fd, int operation) throws ErrnoException {
        kernel.flock(task, files.get(fd), operation);
    }

    /// mmap(2), `MAP_SHARED`, to read or to write as well.
    public ProgramMemory mmap(int fd, long offset, long length, boolean write) throws ErrnoException {
        return mmap(fd, offset, length, write ? FileMapping.Use.SHARE : FileMapping.Use.LOAD);
    }

    /// mmap(2).
    public ProgramMemory mmap(int fd, long offset, long length, FileMapping.Use use) throws ErrnoException {
        return new ProgramMemory(kernel, task, kernel.mmap(task, files.get(fd), offset, length, use));
    }

    /// copy_file_range(2) with explicit offsets; returns how many bytes were copied.
    public long copyFileRange(int from, long fromOffset, int to, long toOffset, long length) throws ErrnoException {
        return kernel.copyFileRange(task, files.get(from), fromOffset, files.get(to), toOffset, length);
    }

    /// ftruncate(2).
    public void ftruncate(int fd, long size) throws ErrnoException {
        kernel.ftruncate(task, files.get(fd), size);
    }

    /// fstat(2).
    public Attr fstat(int fd) throws ErrnoException {
        return kernel.fstat(task, files.get(fd));
    }

    /// getdents64(2): what comes next in an open directory; nothing at the end.
    public List<DirectoryEntry> getdents(int fd) throws ErrnoException {
        return kernel.getdents(task, files.get(fd));
    }

    /// All entries of a directory, `.` and `..` among them, in the order of the server.
    public List<DirectoryEntry> readdir(String path) throws ErrnoException {
        OpenFile directory = kernel.open(task, absolute(path), Fcntl.O_RDONLY | Fcntl.O_DIRECTORY, 0);
        try {
            return kernel.readDirectory(task, directory);
        } finally {
            kernel.close(task, directory);
        }
    }

    /// stat(2).
    public Attr stat(String path) throws ErrnoException {
        return kernel.stat(task, absolute(path), true);
    }

    /// lstat(2).
    public Attr lstat(String path) throws ErrnoException {
        return kernel.stat(task, absolute(path), false);
    }

    /// statx(2) that asks for the time of birth too, not following a link.
    public Statx statx(String path) throws ErrnoException {
        return kernel.statx(task, absolute(path), false);
    }

    /// ioctl(2), `FS_IOC_GETFLAGS`.
    public int fileFlags(int fd) throws ErrnoException {
        return kernel.fileFlags(task, files.get(fd));
    }

    /// ioctl(2), `FS_IOC_SETFLAGS`.
    public void setFileFlags(int fd, int flags) throws ErrnoException {
        kernel.setFileFlags(task, files.get(fd), flags);
    }

    /// statfs(2).
    public Kstatfs statfs(String path) throws ErrnoException {
        return kernel.statfs(task, absolute(path));
    }

    /// truncate(2).
    public void truncate(String path, long size) throws ErrnoException {
        kernel.truncate(task, absolute(path), size);
    }

    /// chmod(2).
    public void chmod(String path, int mode) throws ErrnoException {
        kernel.chmod(task, absolute(path), mode);
    }

    /// chown(2); -1 leaves an id as it is.
    public void chown(String path, int uid, int gid) throws ErrnoException {
        kernel.chown(task, absolute(path), uid, gid, true);
    }

    /// lchown(2).
    public void lchown(String path, int uid, int gid) throws ErrnoException {
        kernel.chown(task, absolute(path), uid, gid, false);
    }

    /// utimensat(2); null means now.
    public void utimens(String path, Timespec atime, Timespec mtime) throws ErrnoException {
        kernel.utimens(task, absolute(path), atime, mtime);
    }

    /// mkdir(2).
    public void mkdir(String path, int mode) throws ErrnoException {
        kernel.mkdir(task, absolute(path), mode);
    }

    /// mknod(2).
    public void mknod(String path, int mode, int rdev) throws ErrnoException {
        kernel.mknod(task, absolute(path), mode, rdev);
    }

    /// symlink(2).
    public void symlink(String target, String path) throws ErrnoException {
        kernel.symlink(task, target, absolute(path));
    }

    /// readlink(2).
    public String readlink(String path) throws ErrnoException {
        return kernel.readlink(task, absolute(path));
    }

    /// link(2).
    public void link(String existing, String path) throws ErrnoException {
        kernel.link(task, absolute(existing), absolute(path));
    }

    /// linkat(2) of an open file, by its path below `/proc/self/fd`.
    public void link(int fd, String path) throws ErrnoException {
        kernel.link(task, files.get(fd), absolute(path));
    }

    /// unlink(2).
    public void unlink(String path) throws ErrnoException {
        kernel.unlink(task, absolute(path));
    }

    /// rmdir(2).
    public void rmdir(String path) throws ErrnoException {
        kernel.rmdir(task, absolute(path));
    }

    /// rename(2).
    public void rename(String from, String to) throws ErrnoException {
        rename(from, to, 0);
    }

    /// renameat2(2).
    public void rename(String from, String to, int flags) throws ErrnoException {
        kernel.rename(task, absolute(from), absolute(to), flags);
    }

    /// lgetxattr(2).
    public byte[] getxattr(String path, String name) throws ErrnoException {
        return kernel.getxattr(task, absolute(path), name);
    }

    /// lgetxattr(2) with room for so many bytes.
    public byte[] getxattr(String path, String name, int room) throws ErrnoException {
        return kernel.getxattr(task, absolute(path), name, room);
    }

    /// llistxattr(2) with room for so many bytes.
    public List<String> listxattr(String path, int room) throws ErrnoException {
        return kernel.listxattr(task, absolute(path), room);
    }

    /// poll(2) of one file: which of the events there are now.
    public int poll(int fd, int events) throws ErrnoException {
        return kernel.poll(task, files.get(fd), events);
    }

    /// lsetxattr(2).
    public void setxattr(String path, String name, byte[] value, int flags) throws ErrnoException {
        kernel.setxattr(task, absolute(path), name, value, flags);
    }

    /// llistxattr(2).
    public List<String> listxattr(String path) throws ErrnoException {
        return kernel.listxattr(task, absolute(path));
    }

    /// lremovexattr(2).
    public void removexattr(String path, String name) throws ErrnoException {
        kernel.removexattr(task, absolute(path), name);
    }

    /// sync(2).
    public void sync() throws ErrnoException {
        kernel.sync(task);
    }

    /// What the kernel does when a program ends: closes all its files.
    public void exit() throws ErrnoException {
        for (int fd : files.all()) {
            close(fd);
        }
    }

    private static void requireOffset(long offset) throws ErrnoException {
        if (offset < 0) {
            throw new ErrnoException("offset " + offset, EINVAL);
        }
    }

    private String absolute(String path) {
        if (path.isEmpty() || path.startsWith("/")) {
            return path; // an empty path names nothing, not the working directory
        }
        return workingDirectory.equals("/") ? "/" + path : workingDirectory + "/" + path;
    }
}
