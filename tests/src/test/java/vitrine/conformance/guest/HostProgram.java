package vitrine.conformance.guest;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static vitrine.posix.Fcntl.AT_FDCWD;
import static vitrine.posix.Fcntl.AT_SYMLINK_NOFOLLOW;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import vitrine.posix.DirectoryEntry;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.Libc;
import vitrine.posix.Stat;

/// The program on the host: each call is the system call of that name.
final class HostProgram implements Program {

    private static final int NOTHING = -1;
    private static final int ROOM = 1 << 17;

    private final HostRoot root;
    private final HostRoot.Who who;
    private final int[] slots;
    private int umask = 022;

    private final MemorySegment path = Arena.ofAuto().allocate(8192);
    private final MemorySegment second = Arena.ofAuto().allocate(8192);
    private final MemorySegment data = Arena.ofAuto().allocate(ROOM, 4096); // as O_DIRECT wants it

    HostProgram(HostRoot root, HostRoot.Who who, int slots) {
        this.root = root;
        this.who = who;
        this.slots = new int[slots];
        Arrays.fill(this.slots, NOTHING);
    }

    private interface Native {
        long call(Libc libc, long path);
    }

    private long call(LongSupplier systemCall) throws ErrnoException {
        return root.onThread(() -> {
            root.libc().umask(umask); // of this thread alone
            return root.call(who, systemCall);
        });
    }

    private long named(String name, Native systemCall) throws ErrnoException {
        path.setString(0, name);
        return call(() -> systemCall.call(root.libc(), path.address()));
    }

    private long named(String name, String other, Native systemCall) throws ErrnoException {
        second.setString(0, other);
        return named(name, systemCall);
    }

    private byte[] filled(long size) {
        return data.asSlice(0, size).toArray(JAVA_BYTE);
    }

    private void fill(byte[] bytes) {
        data.copyFrom(MemorySegment.ofArray(bytes));
    }

    /// FIFOs and devices, which a guest does not model, are opened only to see whether they may be.
    @Override
    public void open(int slot, String name, int flags, int mode) throws ErrnoException {
        if (slots[slot] != NOTHING) {
            close(slot);
        }
        int fd = (int)
                named(name, (libc, at) -> libc.openat(AT_FDCWD, at, flags | Fcntl.O_NONBLOCK | Fcntl.O_CLOEXEC, mode));
        slots[slot] = fd;
        int type = fstat(slot).mode() & Stat.S_IFMT;
        if (type != Stat.S_IFREG && type != Stat.S_IFDIR) {
            close(slot);
            throw new ErrnoException("open", Errno.ENXIO);
        }
    }

    @Override
    public void close(int slot) throws ErrnoException {
        int fd = slots[slot];
        slots[slot] = NOTHING;
        call(() -> root.libc().close(fd));
    }

    @Override
    public byte[] read(int slot, int count) throws ErrnoException {
        return filled(call(() -> root.libc().read(slots[slot], data.address(), count)));
    }

    @Override
    public byte[] pread(int slot, int count, long offset) throws ErrnoException {
        return filled(call(() -> root.calls().pread(slots[slot], data.address(), count, offset)));
    }

    @Override
    public int write(int slot, byte[] bytes) throws ErrnoException {
        fill(bytes);
        return (int) call(() -> root.libc().write(slots[slot], data.address(), bytes.length));
    }

    @Override
    public int pwrite(int slot, byte[] bytes, long offset) throws ErrnoException {
        fill(bytes);
        return (int) call(() -> root.calls().pwrite(slots[slot], data.address(), bytes.length, offset));
    }

    @Override
    public long lseek(int slot, long offset, int whence) throws ErrnoException {
        return call(() -> root.libc().lseek(slots[slot], offset, whence));
    }

    @Override
    public void ftruncate(int slot, long size) throws ErrnoException {
        call(() -> root.libc().ftruncate(slots[slot], size));
    }

    @Override
    public void fallocate(int slot, int mode, long offset, long length) throws ErrnoException {
        call(() -> root.libc().fallocate(slots[slot], mode, offset, length));
    }

    @Override
    public void fsync(int slot) throws ErrnoException {
        call(() -> root.libc().fsync(slots[slot]));
    }

    @Override
    public long copy(Place from, Place to, long length) throws ErrnoException {
        second.set(JAVA_LONG, 0, from.offset());
        second.set(JAVA_LONG, 8, to.offset());
        long at = second.address();
        return call(() -> root.libc().copy_file_range(slots[from.slot()], at, slots[to.slot()], at + 8, length, 0));
    }

    @Override
    public Status fstat(int slot) throws ErrnoException {
        if (slots[slot] == NOTHING) {
            throw new ErrnoException("fstat", Errno.EBADF);
        }
        return root.onThread(() -> status(new Fd(slots[slot], root.libc())));
    }

    @Override
    public Status stat(String name, boolean follow) throws ErrnoException {
        int flags = Fcntl.O_PATH | (follow ? 0 : Fcntl.O_NOFOLLOW);
        return withOpen(name, flags, this::status);
    }

    private Status status(Fd fd) throws ErrnoException {
        FileStatus status = root.sys().statx(fd, Stat.STATX_BASIC_STATS);
        long size = Stat.isDirectory(status.mode()) ? 0 : status.size();
        return new Status(status.mode(), status.nlink(), status.uid(), status.gid(), size, (int) status.rdev());
    }

    @Override
    public List<String> readdir(String name) throws ErrnoException {
        return withOpen(name, Fcntl.O_RDONLY | Fcntl.O_DIRECTORY, directory -> {
            List<String> names = new ArrayList<>();
            for (int size = root.sys().getdents64(directory, data);
                    size > 0;
                    size = root.sys().getdents64(directory, data)) {
                for (int at = 0; at < size; ) {
                    DirectoryEntry entry = DirectoryEntry.read(data, at);
                    names.add(entry.name() + " of type " + entry.type());
                    at += entry.recordLength();
                }
            }
            names.sort(null);
            return names;
        });
    }

    private interface WithFile<T> {
        T use(Fd file) throws ErrnoException;
    }

    private <T> T withOpen(String name, int flags, WithFile<T> use) throws ErrnoException {
        int number = (int) named(name, (libc, at) -> libc.openat(AT_FDCWD, at, flags | Fcntl.O_CLOEXEC, 0));
        return root.onThread(() -> {
            try (Fd file = new Fd(number, root.libc())) {
                return use.use(file);
            }
        });
    }

    @Override
    public void truncate(String name, long size) throws ErrnoException {
        named(name, (libc, at) -> libc.truncate(at, size));
    }

    @Override
    public void chmod(String name, int mode) throws ErrnoException {
        named(name, (libc, at) -> libc.fchmodat(AT_FDCWD, at, mode, 0));
    }

    @Override
    public void chown(String name, int uid, int gid, boolean follow) throws ErrnoException {
        named(name, (libc, at) -> libc.fchownat(AT_FDCWD, at, uid, gid, follow ? 0 : AT_SYMLINK_NOFOLLOW));
    }

    @Override
    public void utimens(String name, Long atime, Long mtime) throws ErrnoException {
        time(0, atime);
        time(16, mtime);
        named(name, (libc, at) -> libc.utimensat(AT_FDCWD, at, second.address(), 0));
    }

    private void time(int offset, Long seconds) {
        second.set(JAVA_LONG, offset, seconds == null ? 0 : seconds);
        second.set(JAVA_LONG, offset + 8, seconds == null ? (1 << 30) - 1 : 0); // UTIME_NOW
    }

    @Override
    public void mkdir(String name, int mode) throws ErrnoException {
        named(name, (libc, at) -> libc.mkdirat(AT_FDCWD, at, mode));
    }

    @Override
    public void mknod(String name, int mode, int device) throws ErrnoException {
        named(name, (libc, at) -> libc.mknodat(AT_FDCWD, at, mode, device));
    }

    @Override
    public void symlink(String target, String name) throws ErrnoException {
        named(name, target, (libc, at) -> libc.symlinkat(second.address(), AT_FDCWD, at));
    }

    @Override
    public String readlink(String name) throws ErrnoException {
        long size = named(name, (libc, at) -> libc.readlinkat(AT_FDCWD, at, data.address(), ROOM));
        return new String(filled(size), StandardCharsets.UTF_8);
    }

    @Override
    public void link(String existing, String name) throws ErrnoException {
        named(existing, name, (libc, at) -> libc.linkat(AT_FDCWD, at, AT_FDCWD, second.address(), 0));
    }

    @Override
    public void unlink(String name) throws ErrnoException {
        named(name, (libc, at) -> libc.unlinkat(AT_FDCWD, at, 0));
    }

    @Override
    public void rmdir(String name) throws ErrnoException {
        named(name, (libc, at) -> libc.unlinkat(AT_FDCWD, at, Fcntl.AT_REMOVEDIR));
    }

    @Override
    public void rename(String from, String to, int flags) throws ErrnoException {
        named(from, to, (libc, at) -> libc.renameat2(AT_FDCWD, at, AT_FDCWD, second.address(), flags));
    }

    @Override
    public byte[] getxattr(String name, String attribute) throws ErrnoException {
        return filled(
                named(name, attribute, (_, at) -> root.calls().lgetxattr(at, second.address(), data.address(), ROOM)));
    }

    @Override
    public void setxattr(String name, String attribute, byte[] value, int flags) throws ErrnoException {
        fill(value);
        named(
                name,
                attribute,
                (_, at) -> root.calls().lsetxattr(at, second.address(), data.address(), value.length, flags));
    }

    @Override
    public List<String> listxattr(String name) throws ErrnoException {
        long size = named(name, (_, at) -> root.calls().llistxattr(at, data.address(), ROOM));
        List<String> names = new ArrayList<>(List.of(new String(filled(size), StandardCharsets.UTF_8).split("\0")));
        names.removeIf(String::isEmpty);
        names.sort(null);
        return names;
    }

    @Override
    public void removexattr(String name, String attribute) throws ErrnoException {
        named(name, attribute, (_, at) -> root.calls().lremovexattr(at, second.address()));
    }

    @Override
    public void umask(int mask) {
        umask = mask;
    }
}
