package vitrine.guest.kernel.linux;

import java.util.List;
import vitrine.fuse.FileRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.SetattrIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.cache.PageCache;
import vitrine.guest.kernel.cache.Part;
import vitrine.guest.kernel.cache.Run;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.Flushing;
import vitrine.guest.kernel.rule.Flushing.Occasion;
import vitrine.posix.ErrnoException;
import vitrine.wire.Buffers;

/// Dirty pages: those that programs have written with write-back (fuse.h: FUSE_WRITEBACK_CACHE),
/// and those that they have stored into by a mapping. And when they go to the server.
///
/// When they go, nobody is their writer any more: the request has no identity, the handle is that
/// of any open file that may write, and it never asks to clear set-ID bits. With write-back the
/// times of the file are the guest's own, and follow the data by SETATTR.
final class WriteBack {

    private static final int PAGE = PageCache.PAGE;

    private final FuseClient client;
    private final PageReads reads;
    private final Mount mount;

    WriteBack(Mount mount, PageReads reads) {
        this.mount = mount;
        this.client = mount.client();
        this.reads = reads;
    }

    /// Keeps what a program writes. The rest of a page of which it writes a part is read before,
    /// whether the file is open for reading or not.
    int write(Task task, LinuxFile file, long offset, byte[] bytes) throws ErrnoException {
        GuestInode inode = file.inode();
        int done = 0;
        while (done < bytes.length) {
            long at = offset + done;
            int size = Math.min(PAGE - (int) (at % PAGE), bytes.length - done);
            keep(task, file, at, new Piece(bytes, done, size));
            done += size;
            inode.wroteLater(offset + done, mount.terms().clock().now());
        }
        return done;
    }

    private record Piece(byte[] bytes, int from, int size) {}

    private void keep(Task task, LinuxFile file, long at, Piece part) throws ErrnoException {
        PageCache pages = file.inode().pages();
        pages.lock().lock();
        try {
            long number = at / PAGE;
            if (!pages.has(number) && part.size < PAGE) {
                if (number * PAGE >= file.inode().size()) {
                    pages.fill(new Run(number, 1), new byte[0]); // there is nothing to be read
                } else {
                    reads.read(task, file, new Run(number, 1));
                }
            }
            pages.store(at, part.bytes, part.from, part.size);
            pages.makeDirty(number);
        } finally {
            pages.lock().unlock();
        }
    }

    /// Writes all dirty pages of a file, neighbours together as far as they fit into one request,
    /// and then its times.
    void flush(Task task, GuestInode inode, Occasion occasion) throws ErrnoException {
        boolean dirty = inode.pages().isDirty();
        boolean times = inode.hasDirtyTimes();
        if ((dirty || times) && mount.by(new Flushing(occasion, dirty, times))) {
            writePages(inode, 0);
            sendTimes(task, inode);
        }
    }

    /// Writes the dirty pages from a place in the file to its end, and leaves the times for later.
    void flushFrom(GuestInode inode, long offset) throws ErrnoException {
        boolean dirty = inode.pages().isDirty();
        if (dirty && mount.by(new Flushing(Occasion.RANGE, true, false))) {
            writePages(inode, offset / PAGE);
        }
    }

    /// Writes what is dirty of all files.
    void flushAll(Task task) throws ErrnoException {
        for (GuestInode inode : mount.inodes().all()) {
            flush(task, inode, Occasion.SYNC_ALL);
        }
    }

    private void writePages(GuestInode inode, long first) throws ErrnoException {
        int most = Math.max(1, client.largestData() / PAGE);
        List<Run> runs = inode.pages().dirty(first, most);
        LinuxFile through = inode.writer();
        for (Run run : runs) {
            byte[] bytes = inode.pages().takeDirty(run);
            long size = Math.min(run.bytes(), inode.size() - run.offset());
            if (size > 0 && through != null) {
                WriteIn in = new WriteIn(through.fh(), run.offset(), (int) size, Flag.word32(WriteFlag.CACHE), 0, 0);
                client.ask(
                        new FileRequest.Write(
                                client.kernelHeader(inode.nodeid()),
                                in,
                                Buffers.ofBytes(bytes).slice(0, size)),
                        (int) WriteOut.LAYOUT.byteSize(),
                        WriteOut::decode);
            }
        }
        if (!runs.isEmpty() && !mount.terms().writeBack()) {
            inode.changed(Part.WRITTEN);
        }
    }

    private void sendTimes(Task task, GuestInode inode) throws ErrnoException {
        if (!inode.takeDirtyTimes()) {
            return;
        }
        LinuxFile through = inode.writer();
        Attr attr = inode.attr();
        int valid =
                Flag.word32(SetattrFlag.MTIME, SetattrFlag.CTIME) | (through == null ? 0 : Flag.word32(SetattrFlag.FH));
        SetattrIn in = new SetattrIn(
                valid,
                through == null ? 0 : through.fh(),
                0,
                0,
                0,
                attr.mtime(),
                attr.ctime(),
                0,
                attr.mtimensec(),
                attr.ctimensec(),
                0,
                0,
                0);
        // What the reply says is not looked at: it is no news (Linux: fuse_flush_times).
        client.ask(
                new InodeRequest.Setattr(client.header(task, inode.nodeid()), in),
                (int) AttrOut.LAYOUT.byteSize(),
                AttrOut::decode);
    }
}
