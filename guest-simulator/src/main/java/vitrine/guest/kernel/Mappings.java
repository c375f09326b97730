package vitrine.guest.kernel;

import static vitrine.posix.Errno.EACCES;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.ENODEV;

import vitrine.fuse.flag.FopenFlag;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.rule.DataPath;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.posix.ErrnoException;

/// mmap(2) of files in the DAX window. Files in the page cache are not mapped here.
final class Mappings {

    private static final int PAGE = 4096;

    private final DaxPath window;
    private final Decisions decisions;

    Mappings(DaxPath window, Decisions decisions) {
        this.window = window;
        this.decisions = decisions;
    }

    FileMapping map(LinuxFile file, long offset, long length, boolean write) throws ErrnoException {
        if (!file.readable() || write && !file.writable()) {
            throw new ErrnoException("mmap", EACCES);
        }
        if (offset < 0 || length <= 0 || offset % PAGE != 0 || file.isDirectory()) {
            throw new ErrnoException("mmap", file.isDirectory() ? ENODEV : EINVAL);
        }
        var rule = new DataPath.Map(window.has(file.inode()), FopenFlag.DIRECT_IO.in(file.openFlags()), true, false);
        if (decisions.by(rule) != DataPath.Way.DAX) {
            throw new ErrnoException("mmap of a file that is not in the window: not modelled", ENODEV);
        }
        file.hold();
        return new FileMapping(file, offset, length, write);
    }

    byte[] load(FileMapping mapping, long at, int count) throws BusErrorException {
        requireWithin(mapping, at, count);
        return window.load(((LinuxFile) mapping.file()).inode(), mapping.offset() + at, count);
    }

    void store(FileMapping mapping, long at, byte[] bytes) throws BusErrorException {
        requireWithin(mapping, at, bytes.length);
        if (!mapping.writable()) {
            throw new IllegalArgumentException("a store to what was mapped for reading: SIGSEGV");
        }
        window.store(((LinuxFile) mapping.file()).inode(), mapping.offset() + at, bytes);
    }

    private static void requireWithin(FileMapping mapping, long at, int count) {
        if (at < 0 || count > mapping.length() - at) {
            throw new IllegalArgumentException(count + " bytes at " + at + " of " + mapping + ": SIGSEGV");
        }
    }
}
