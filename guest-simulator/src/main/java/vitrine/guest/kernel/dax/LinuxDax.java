package vitrine.guest.kernel.dax;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import vitrine.fuse.flag.AttrFlag;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.driver.DaxWindow;
import vitrine.guest.kernel.DaxPath;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.dax.WindowRanges.Access;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.guest.kernel.rule.WindowUse;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;

/// Files through the window, as Linux does it: read(2) and write(2) are copies, a program's own
/// loads and stores are page faults the first time.
///
/// What is inside a file and was seen once costs no request. Where the file ends the guest must
/// know by itself, for the window has no end: what is behind the end of the file on the host is a
/// bus error of the host's.
final class LinuxDax implements DaxPath {

    private static final int PAGE = 4096;

    private final FuseClient client;
    private final DaxMount mount;
    private final DaxWindow window;
    private final WindowRanges ranges;
    private final DaxRequests requests;
    private final Decisions decisions;
    private final Map<GuestInode, FileRanges> files = Collections.synchronizedMap(new IdentityHashMap<>());

    LinuxDax(FuseClient client, DaxMount mount, Decisions decisions) {
        this.client = client;
        this.mount = mount;
        this.window = mount.window();
        this.requests = new DaxRequests(client, decisions);
        this.ranges = new WindowRanges(window, requests, decisions);
        this.decisions = decisions;
    }

    @Override
    public void met(GuestInode inode) {
        var rule = new WindowUse.OfFile(
                mount.mode(),
                true,
                Stat.isRegular(inode.attr().mode()),
                client.has(InitFlag.HAS_INODE_DAX),
                AttrFlag.DAX.in(inode.attr().flags()));
        if (decisions.by(rule)) {
            files.put(inode, new FileRanges(inode.nodeid()));
        }
    }

    @Override
    public boolean isChosenByServer() {
        return mount.mode() == DaxMode.INODE;
    }

    @Override
    public boolean has(GuestInode inode) {
        return files.containsKey(inode);
    }

    @Override
    public void forgotten(GuestInode inode) {
        FileRanges gone = files.remove(inode);
        if (gone != null) {
            ranges.evict(gone);
        }
    }

    @Override
    public byte[] read(Task task, LinuxFile file, long offset, int count) throws ErrnoException {
        int length = Math.clamp(file.inode().attr().size() - offset, 0, count);
        try {
            return copyOut(file.inode(), offset, length, new Access(false, false));
        } catch (BusErrorException e) {
            throw new ErrnoException(e.getMessage(), Errno.EIO);
        } finally {
            ranges.turnOfTheWorker();
        }
    }

    @Override
    public int write(Task task, LinuxFile file, long offset, byte[] bytes) throws ErrnoException {
        long size = file.inode().attr().size();
        int inside = Math.clamp(size - offset, 0, bytes.length);
        return switch (decisions.by(new WindowUse.Write(mount.strategy(), offset, bytes.length, size))) {
            case NONE -> copyIn(file, offset, bytes);
            case WRITE -> requests.write(task, file, offset, bytes);
            case WRITE_THE_REST -> {
                copyIn(file, offset, Arrays.copyOf(bytes, inside));
                yield inside + requests.write(task, file, size, Arrays.copyOfRange(bytes, inside, bytes.length));
            }
            case FALLOCATE -> {
                requests.allocate(task, file, offset, bytes.length);
                yield copyIn(file, offset, bytes);
            }
            case TRUNCATE -> {
                requests.lengthen(task, file, offset + bytes.length);
                yield copyIn(file, offset, bytes);
            }
        };
    }

    private int copyIn(LinuxFile file, long offset, byte[] bytes) throws ErrnoException {
        try {
            copyIn(file.inode(), offset, bytes, new Access(true, false));
            return bytes.length;
        } catch (BusErrorException e) {
            throw new ErrnoException(e.getMessage(), Errno.EIO);
        } finally {
            ranges.turnOfTheWorker();
        }
    }

    @Override
    public byte[] load(GuestInode inode, long offset, int count) throws BusErrorException {
        requirePages(inode, offset, count);
        try {
            return copyOut(inode, offset, count, new Access(false, true));
        } catch (ErrnoException e) {
            throw new BusErrorException(e.getMessage());
        } finally {
            ranges.turnOfTheWorker();
        }
    }

    @Override
    public void store(GuestInode inode, long offset, byte[] bytes) throws BusErrorException {
        requirePages(inode, offset, bytes.length);
        try {
            copyIn(inode, offset, bytes, new Access(true, true));
        } catch (ErrnoException e) {
            throw new BusErrorException(e.getMessage());
        } finally {
            ranges.turnOfTheWorker();
        }
    }

    /// A page that lies behind the end of the file as a whole is no page of it.
    private static void requirePages(GuestInode inode, long offset, int count) throws BusErrorException {
        long pages = (inode.attr().size() + PAGE - 1) & -PAGE;
        if (count > 0 && offset + count > pages) {
            throw new BusErrorException("a page behind the end of the file, which has "
                    + inode.attr().size() + " bytes");
        }
    }

    private byte[] copyOut(GuestInode inode, long offset, int count, Access how)
            throws ErrnoException, BusErrorException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (bytes.size() < count) {
            long from = offset + bytes.size();
            int part = partOf(from, count - bytes.size());
            bytes.writeBytes(ranges.access(files.get(inode), from, how, at -> window.load(at, part)));
        }
        return bytes.toByteArray();
    }

    private void copyIn(GuestInode inode, long offset, byte[] bytes, Access how)
            throws ErrnoException, BusErrorException {
        int done = 0;
        while (done < bytes.length) {
            int start = done;
            int part = partOf(offset + start, bytes.length - start);
            ranges.access(files.get(inode), offset + start, how, at -> {
                window.store(at, Arrays.copyOfRange(bytes, start, start + part));
                return null;
            });
            done += part;
        }
    }

    /// How much of it lies in the same range as its first byte.
    private static int partOf(long offset, int count) {
        return (int) Math.min(count, WindowRanges.RANGE - offset % WindowRanges.RANGE);
    }
}
