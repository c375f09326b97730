package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EACCES;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.ENODEV;

import java.io.ByteArrayOutputStream;
import vitrine.fuse.flag.FopenFlag;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.kernel.DaxPath;
import vitrine.guest.kernel.FileMapping;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.cache.PageCache;
import vitrine.guest.kernel.rule.DataPath;
import vitrine.guest.kernel.rule.Flushing.Occasion;
import vitrine.posix.ErrnoException;
import vitrine.posix.Timespec;

/// mmap(2), and what comes of touching the memory: a page of the DAX window, or one of the page
/// cache, which is read as read(2) would and dirty after a store.
///
/// Nobody looks at set-ID bits, here as little as on any other file system of Linux.
final class Mappings {

    private static final int PAGE = PageCache.PAGE;

    private final Mount mount;
    private final DaxPath window;
    private final PageReads reads;
    private final WriteBack writeBack;
    private final Opening opening;

    Mappings(Mount mount, DaxPath window, PageReads reads, WriteBack writeBack, Opening opening) {
        this.mount = mount;
        this.window = window;
        this.reads = reads;
        this.writeBack = writeBack;
        this.opening = opening;
    }

    FileMapping map(LinuxFile file, long offset, long length, FileMapping.Use use) throws ErrnoException {
        FileMapping mapping = new FileMapping(file, offset, length, use);
        if (!file.readable() || mapping.isShared() && !file.writable()) {
            throw new ErrnoException("mmap", EACCES);
        }
        if (offset < 0 || length <= 0 || offset % PAGE != 0 || file.isDirectory()) {
            throw new ErrnoException("mmap", file.isDirectory() ? ENODEV : EINVAL);
        }
        DataPath.Way way = mount.by(new DataPath.Map(
                window.has(file.inode()),
                file.has(FopenFlag.DIRECT_IO),
                use != FileMapping.Use.KEEP,
                mount.client().has(InitFlag.DIRECT_IO_ALLOW_MMAP)));
        if (way == DataPath.Way.REFUSED) {
            throw new ErrnoException("mmap", ENODEV);
        }
        file.hold();
        return mapping;
    }

    byte[] load(Task task, FileMapping mapping, long at, int count) throws BusErrorException {
        requireWithin(mapping, at, count);
        LinuxFile file = (LinuxFile) mapping.file();
        if (window.has(file.inode())) {
            return window.load(file.inode(), mapping.offset() + at, count);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (bytes.size() < count) {
            long offset = mapping.offset() + at + bytes.size();
            byte[] part = new byte[Math.min(PAGE - (int) (offset % PAGE), count - bytes.size())];
            PageCache pages = file.inode().pages();
            pages.lock().lock();
            try {
                fault(task, file, offset);
                pages.copyOut(offset, part, 0, part.length);
            } finally {
                pages.lock().unlock();
            }
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }

    void store(Task task, FileMapping mapping, long at, byte[] bytes) throws BusErrorException {
        requireWithin(mapping, at, bytes.length);
        if (!mapping.isShared()) {
            throw new IllegalArgumentException("a store to what was mapped for loads: SIGSEGV");
        }
        LinuxFile file = (LinuxFile) mapping.file();
        GuestInode inode = file.inode();
        if (window.has(inode)) {
            window.store(inode, mapping.offset() + at, bytes);
            return;
        }
        int done = 0;
        while (done < bytes.length) {
            long offset = mapping.offset() + at + done;
            int size = Math.min(PAGE - (int) (offset % PAGE), bytes.length - done);
            PageCache pages = inode.pages();
            pages.lock().lock();
            try {
                fault(task, file, offset);
                pages.store(offset, bytes, done, size);
                pages.makeDirty(offset / PAGE);
            } finally {
                pages.lock().unlock();
            }
            done += size;
        }
        if (mount.terms().writeBack()) {
            Timespec now = mount.terms().clock().now();
            inode.stamp(now, now);
        }
    }

    /// A page fault. The guest believes what it knows of the file's end.
    private void fault(Task task, LinuxFile file, long offset) throws BusErrorException {
        long number = offset / PAGE;
        try {
            if (number * PAGE < file.inode().size()) {
                reads.fault(task, file, number);
            }
        } catch (ErrnoException e) {
            throw new BusErrorException(e.getMessage());
        }
        if (number * PAGE >= file.inode().size()) {
            throw new BusErrorException("a page behind the end of the file, which has "
                    + file.inode().size() + " bytes");
        }
    }

    private static void requireWithin(FileMapping mapping, long at, int count) {
        if (at < 0 || count > mapping.length() - at) {
            throw new IllegalArgumentException(count + " bytes at " + at + " of " + mapping + ": SIGSEGV");
        }
    }

    void unmap(Task task, FileMapping mapping) throws ErrnoException {
        LinuxFile file = (LinuxFile) mapping.file();
        try {
            if (mapping.isShared()) {
                writeBack.flush(task, file.inode(), Occasion.UNMAP);
            }
        } finally {
            opening.letGo(file);
        }
    }
}
