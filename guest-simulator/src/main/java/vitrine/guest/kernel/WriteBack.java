package vitrine.guest.kernel;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import vitrine.fuse.FileRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.SetattrIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Timespec;
import vitrine.wire.Buffers;

/// Write-back (fuse.h: FUSE_WRITEBACK_CACHE): data that programs have written and the server has
/// not been told yet, in whole pages, and the times of those writes.
///
/// Only what is dirty is kept. Whatever else looks at a file's data sends the pages first, where
/// Linux would often answer out of its page cache; so a program sees the same, and the server hears
/// of it no later than from Linux. When the pages go, nobody is their writer any more: the request
/// has no identity, and it never asks to clear set-ID bits.
final class WriteBack {

    private static final int PAGE = 4096;
    private static final int TIMES = Flag.word32(SetattrFlag.MTIME, SetattrFlag.CTIME, SetattrFlag.FH);

    private final FuseClient client;
    private final GuestClock clock;
    private final Map<GuestInode, Dirty> files = new IdentityHashMap<>();

    /// @param through an open file that may write
    private record Dirty(LinuxFile through, SortedMap<Long, byte[]> pages) {}

    WriteBack(FuseClient client, GuestClock clock) {
        this.client = client;
        this.clock = clock;
    }

    /// The guest's time: what it stamps files with itself.
    Timespec now() {
        return clock.now();
    }

    /// Whether both sides agreed on it.
    boolean isOn() {
        return client.has(InitFlag.WRITEBACK_CACHE);
    }

    /// Keeps what a program writes. The rest of a page of which it writes a part is read before,
    /// whether the file is open for reading or not.
    synchronized int write(Task task, LinuxFile file, long offset, byte[] bytes) throws ErrnoException {
        SortedMap<Long, byte[]> pages = touch(file).pages();
        int done = 0;
        while (done < bytes.length) {
            long number = (offset + done) / PAGE;
            int at = (int) ((offset + done) % PAGE);
            int size = Math.min(PAGE - at, bytes.length - done);
            if (!pages.containsKey(number)) {
                boolean isNew =
                        size == PAGE || number * PAGE >= file.inode().attr().size();
                pages.put(number, isNew ? new byte[PAGE] : read(task, file, number));
            }
            System.arraycopy(bytes, done, pages.get(number), at, size);
            done += size;
        }
        file.inode().growTo(offset + bytes.length);
        return bytes.length;
    }

    /// Notes that the file has new times, which the server does not know. Until then the file's
    /// size is the guest's own business, too.
    synchronized Dirty touch(LinuxFile file) {
        file.inode().keepSize(true);
        return files.computeIfAbsent(file.inode(), _ -> new Dirty(file, new TreeMap<>()));
    }

    private byte[] read(Task task, LinuxFile file, long number) throws ErrnoException {
        ReadIn in = new ReadIn(file.fh(), number * PAGE, PAGE, 0, 0, file.flags());
        byte[] bytes = client.ask(
                new FileRequest.Read(client.header(task, file.nodeid()), in),
                PAGE,
                reply -> reply.rest().toBytes());
        return Arrays.copyOf(bytes, PAGE);
    }

    /// Forgets what lies behind a new end of the file.
    synchronized void truncate(GuestInode inode, long size) {
        Dirty dirty = files.get(inode);
        if (dirty != null) {
            inode.truncated(size);
            dirty.pages().tailMap((size + PAGE - 1) / PAGE).clear();
            byte[] last = dirty.pages().get(size / PAGE);
            if (last != null) {
                Arrays.fill(last, (int) (size % PAGE), PAGE, (byte) 0);
            }
        }
    }

    /// Sends all pages of the file, neighbours together as far as they fit into one request, then
    /// its times.
    synchronized void flush(GuestInode inode) throws ErrnoException {
        Dirty dirty = files.remove(inode);
        if (dirty == null) {
            return;
        }
        long start = 0;
        Buffers run = Buffers.EMPTY;
        for (Map.Entry<Long, byte[]> page : dirty.pages().entrySet()) {
            long offset = page.getKey() * PAGE;
            if (offset != start + run.size() || run.size() + PAGE > client.largestData()) {
                send(dirty.through(), start, run);
                start = offset;
                run = Buffers.EMPTY;
            }
            run = run.followedBy(Buffers.ofBytes(page.getValue()));
        }
        send(dirty.through(), start, run);
        inode.keepSize(false);
        sendTimes(dirty.through());
    }

    /// Sends all pages of all files.
    synchronized void flushAll() throws ErrnoException {
        for (GuestInode inode : List.copyOf(files.keySet())) {
            flush(inode);
        }
    }

    private void send(LinuxFile through, long offset, Buffers run) throws ErrnoException {
        long size = Math.min(run.size(), through.inode().attr().size() - offset);
        if (size <= 0) {
            return;
        }
        WriteIn in = new WriteIn(through.fh(), offset, (int) size, Flag.word32(WriteFlag.CACHE), 0, 0);
        client.ask(
                new FileRequest.Write(client.kernelHeader(through.nodeid()), in, run.slice(0, size)),
                (int) WriteOut.LAYOUT.byteSize(),
                WriteOut::decode);
    }

    private void sendTimes(LinuxFile through) throws ErrnoException {
        Timespec now = clock.now();
        long seconds = now.seconds();
        int nanos = now.nanos();
        SetattrIn in = new SetattrIn(TIMES, through.fh(), 0, 0, 0, seconds, seconds, 0, nanos, nanos, 0, 0, 0);
        var request = new InodeRequest.Setattr(client.kernelHeader(through.nodeid()), in);
        through.inode()
                .refresh(client.ask(request, (int) AttrOut.LAYOUT.byteSize(), AttrOut::decode)
                        .attr());
    }
}
