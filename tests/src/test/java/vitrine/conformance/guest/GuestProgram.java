package vitrine.conformance.guest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import vitrine.fuse.struct.Attr;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;

/// The program in the guest: everything goes through its kernel, the ring and the daemon.
final class GuestProgram implements Program {

    private static final int NOTHING = -1;

    private final GuestProcess process;
    private final int[] slots;

    GuestProgram(GuestProcess process, int slots) {
        this.process = process;
        this.slots = new int[slots];
        Arrays.fill(this.slots, NOTHING);
    }

    @Override
    public void open(int slot, String path, int flags, int mode) throws ErrnoException {
        if (slots[slot] != NOTHING) {
            close(slot);
        }
        slots[slot] = process.open(path, flags, mode);
    }

    @Override
    public void close(int slot) throws ErrnoException {
        int fd = slots[slot];
        slots[slot] = NOTHING;
        process.close(fd);
    }

    @Override
    public byte[] read(int slot, int count) throws ErrnoException {
        return process.read(slots[slot], count);
    }

    @Override
    public byte[] pread(int slot, int count, long offset) throws ErrnoException {
        return process.pread(slots[slot], count, offset);
    }

    @Override
    public int write(int slot, byte[] bytes) throws ErrnoException {
        return process.write(slots[slot], bytes);
    }

    @Override
    public int pwrite(int slot, byte[] bytes, long offset) throws ErrnoException {
        return process.pwrite(slots[slot], bytes, offset);
    }

    @Override
    public long lseek(int slot, long offset, int whence) throws ErrnoException {
        return process.lseek(slots[slot], offset, whence);
    }

    @Override
    public void ftruncate(int slot, long size) throws ErrnoException {
        process.ftruncate(slots[slot], size);
    }

    @Override
    public void fallocate(int slot, int mode, long offset, long length) throws ErrnoException {
        process.fallocate(slots[slot], mode, offset, length);
    }

    @Override
    public void fsync(int slot) throws ErrnoException {
        process.fsync(slots[slot]);
    }

    @Override
    public long copy(Place from, Place to, long length) throws ErrnoException {
        return process.copyFileRange(slots[from.slot()], from.offset(), slots[to.slot()], to.offset(), length);
    }

    @Override
    public Status fstat(int slot) throws ErrnoException {
        return status(process.fstat(slots[slot]));
    }

    @Override
    public Status stat(String path, boolean follow) throws ErrnoException {
        return status(follow ? process.stat(path) : process.lstat(path));
    }

    private static Status status(Attr attr) {
        long size = Stat.isDirectory(attr.mode()) ? 0 : attr.size();
        return new Status(attr.mode(), attr.nlink(), attr.uid(), attr.gid(), size, attr.rdev());
    }

    @Override
    public List<String> readdir(String path) throws ErrnoException {
        return process.readdir(path).stream()
                .map(entry -> entry.name() + " of type " + entry.type())
                .sorted()
                .toList();
    }

    @Override
    public void truncate(String path, long size) throws ErrnoException {
        process.truncate(path, size);
    }

    @Override
    public void chmod(String path, int mode) throws ErrnoException {
        process.chmod(path, mode);
    }

    @Override
    public void chown(String path, int uid, int gid, boolean follow) throws ErrnoException {
        if (follow) {
            process.chown(path, uid, gid);
        } else {
            process.lchown(path, uid, gid);
        }
    }

    @Override
    public void utimens(String path, Long atime, Long mtime) throws ErrnoException {
        process.utimens(path, time(atime), time(mtime));
    }

    private static Timespec time(Long seconds) {
        return seconds == null ? null : new Timespec(seconds, 0);
    }

    @Override
    public void mkdir(String path, int mode) throws ErrnoException {
        process.mkdir(path, mode);
    }

    @Override
    public void mknod(String path, int mode, int device) throws ErrnoException {
        process.mknod(path, mode, device);
    }

    @Override
    public void symlink(String target, String path) throws ErrnoException {
        process.symlink(target, path);
    }

    @Override
    public String readlink(String path) throws ErrnoException {
        return process.readlink(path);
    }

    @Override
    public void link(String existing, String path) throws ErrnoException {
        process.link(existing, path);
    }

    @Override
    public void unlink(String path) throws ErrnoException {
        process.unlink(path);
    }

    @Override
    public void rmdir(String path) throws ErrnoException {
        process.rmdir(path);
    }

    @Override
    public void rename(String from, String to, int flags) throws ErrnoException {
        process.rename(from, to, flags);
    }

    @Override
    public byte[] getxattr(String path, String name) throws ErrnoException {
        return process.getxattr(path, name);
    }

    @Override
    public void setxattr(String path, String name, byte[] value, int flags) throws ErrnoException {
        process.setxattr(path, name, value, flags);
    }

    @Override
    public List<String> listxattr(String path) throws ErrnoException {
        List<String> names = new ArrayList<>(process.listxattr(path));
        names.sort(null);
        return names;
    }

    @Override
    public void removexattr(String path, String name) throws ErrnoException {
        process.removexattr(path, name);
    }

    @Override
    public void umask(int mask) {
        process.umask(mask);
    }
}
