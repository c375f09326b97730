package vitrine.guest.kernel.linux;

import java.util.Arrays;
import java.util.Set;
import vitrine.fuse.FileRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.ReadIn;
import vitrine.guest.kernel.Completion;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.Arrival;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.cache.PageCache;
import vitrine.guest.kernel.cache.Part;
import vitrine.guest.kernel.cache.Run;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.ReadAhead;
import vitrine.posix.ErrnoException;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// Reading through the page cache: what is missing is read, and more behind it.
///
/// With ASYNC_READ all of it is sent in the background (`fuse_readahead` in Linux), and a program
/// waits for the READ that brings the page it needs. If the server has much to do, what nobody
/// needs yet is left out.
final class PageReads {

    private static final int PAGE = PageCache.PAGE;

    private final Mount mount;
    private final FuseClient client;
    private final Attributes attributes;

    PageReads(Mount mount, Attributes attributes) {
        this.mount = mount;
        this.client = mount.client();
        this.attributes = attributes;
    }

    /// read(2) (`fuse_cache_read_iter` and `filemap_read` in Linux).
    byte[] read(Task task, LinuxFile file, long offset, int count) throws ErrnoException {
        GuestInode inode = file.inode();
        if (client.has(InitFlag.AUTO_INVAL_DATA) || offset + count > inode.size()) {
            attributes.fresh(task, inode, file, Set.of(Part.SIZE));
        }
        if (mount.terms().noMemory()) {
            inode.dropPages();
        }
        PageCache pages = inode.pages();
        pages.lock().lock();
        try {
            byte[] bytes = new byte[Math.clamp(inode.size() - offset, 0, count)];
            int done = 0;
            while (done < bytes.length && offset + done < inode.size()) {
                long number = (offset + done) / PAGE;
                long wanted = (offset + count + PAGE - 1) / PAGE - number;
                require(task, file, number, wanted);
                if (offset + done >= inode.size()) {
                    break; // a READ has found the end earlier
                }
                int most = (int) Math.min(bytes.length - done, inode.size() - offset - done);
                done += pages.copyOut(offset + done, bytes, done, most);
                file.lastRead((offset + done) / PAGE);
            }
            return done == bytes.length ? bytes : Arrays.copyOf(bytes, done);
        } finally {
            pages.lock().unlock();
        }
    }

    /// Makes sure that a page is there, and reads ahead if that is due.
    private void require(Task task, LinuxFile file, long number, long wanted) throws ErrnoException {
        PageCache pages = file.inode().pages();
        boolean marked = pages.takeMark(number);
        if (marked || !pages.knows(number)) {
            long most = client.readAheadPages();
            ReadAhead.Window window = mount.by(new ReadAhead(
                    number,
                    wanted,
                    marked,
                    file.window(),
                    file.lastRead(),
                    pages.cachedBefore(number, most),
                    pages.cachedBehind(number, most),
                    most));
            readAhead(task, file, window);
        }
        requireAlone(task, file, number);
    }

    /// A load from a mapping (`filemap_fault` in Linux): what is around the page is read along.
    void fault(Task task, LinuxFile file, long number) throws ErrnoException {
        PageCache pages = file.inode().pages();
        pages.lock().lock();
        try {
            if (!pages.knows(number)) {
                long most = client.readAheadPages();
                readAhead(task, file, new ReadAhead.Window(Math.max(0, number - most / 2), most, most / 4, true));
            }
            requireAlone(task, file, number);
        } finally {
            pages.lock().unlock();
        }
    }

    /// Waits for the page. One that did not come is asked for by itself, and who needs it is told.
    private void requireAlone(Task task, LinuxFile file, long number) throws ErrnoException {
        if (!file.inode().pages().has(number)) {
            read(task, file, new Run(number, 1));
        }
    }

    private void readAhead(Task task, LinuxFile file, ReadAhead.Window window) throws ErrnoException {
        PageCache pages = file.inode().pages();
        if (window.remembered()) {
            file.window(window);
        }
        long behindEnd = (file.inode().size() + PAGE - 1) / PAGE;
        long end = Math.min(window.start() + window.size(), behindEnd);
        long mark = end - window.ahead();
        boolean markIsNew = mark >= window.start() && mark < end && !pages.knows(mark);
        for (Run run : pages.missing(window.start(), end, client.mostPages())) {
            if (run.first() >= mark && client.isCongested()) {
                break;
            }
            if (client.has(InitFlag.ASYNC_READ)) {
                pages.expect(new Sent(task, file, run));
            } else {
                read(task, file, run);
            }
        }
        if (window.ahead() > 0 && markIsNew) {
            pages.mark(mark);
        }
    }

    /// A READ that was sent in the background.
    private final class Sent implements Arrival {

        private final GuestInode inode;
        private final Run run;
        private final long askedAt;
        private final Completion<byte[]> reply;

        Sent(Task task, LinuxFile file, Run run) {
            this.inode = file.inode();
            this.run = run;
            askedAt = inode.askedAt();
            reply = client.submit(request(task, file, run), run.bytes(), PageReads::data);
        }

        @Override
        public Run run() {
            return run;
        }

        @Override
        public boolean isBack() {
            return reply.isDone();
        }

        @Override
        public void take() {
            try {
                put(inode, run, reply.await(), askedAt);
            } catch (ErrnoException _) { // for whoever needs one of the pages, and asks for it again
                inode.pages().fail(run);
            }
        }
    }

    /// READ of whole pages that are needed now. The lock of the pages is held.
    void read(Task task, LinuxFile file, Run run) throws ErrnoException {
        long askedAt = file.inode().askedAt();
        put(file.inode(), run, client.ask(request(task, file, run), run.bytes(), PageReads::data), askedAt);
    }

    private FileRequest.Read request(Task task, LinuxFile file, Run run) {
        ReadIn in = new ReadIn(file.fh(), run.offset(), run.bytes(), 0, 0, file.flags());
        return new FileRequest.Read(client.header(task, file.nodeid()), in);
    }

    private static byte[] data(WireReader reply) throws MalformedException {
        return reply.rest().toBytes();
    }

    private static void put(GuestInode inode, Run run, byte[] bytes, long askedAt) {
        inode.pages().fill(run, bytes);
        if (bytes.length < run.bytes()) {
            inode.endsAt(run.offset() + bytes.length, askedAt);
        }
        inode.changed(Set.of(Part.ACCESS_TIME));
    }
}
