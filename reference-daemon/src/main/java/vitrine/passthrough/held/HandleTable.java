package vitrine.passthrough.held;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;

/// Which open file or directory a handle (`fh`) stands for, from OPEN to RELEASE.
///
/// Handles are counted up and never used again. A handle is good only together with the nodeid that
/// was opened, and only for requests of its kind: everything else is `EBADF`, so that a confused
/// guest cannot read a file through another one's nodeid. A file that could not be found again when
/// the guest came from another daemon is `ESTALE`.
public final class HandleTable {

    private final ConcurrentHashMap<Long, SharedDescriptor> open = new ConcurrentHashMap<>();
    private final Set<Long> lost = ConcurrentHashMap.newKeySet(); // handles whose files did not move with the guest
    private final AtomicLong lastHandle = new AtomicLong();

    /// Gives the file a handle; the table holds it until [#release].
    public long add(OpenFile file) {
        long fh = lastHandle.incrementAndGet();
        open.put(fh, file);
        return fh;
    }

    /// Gives the directory a handle; the table holds it until [#release].
    public long add(OpenDirectory directory) {
        long fh = lastHandle.incrementAndGet();
        open.put(fh, directory);
        return fh;
    }

    /// What is open, by handle.
    public Map<Long, SharedDescriptor> open() {
        return Map.copyOf(open);
    }

    /// The highest handle that the guest was told.
    public long lastHandle() {
        return lastHandle.get();
    }

    /// The guest comes from another daemon, where the handles were that far.
    public void resume(long handle) {
        lastHandle.set(handle);
    }

    /// The guest has a handle already.
    ///
    /// @param file what it stands for; null if that could not be found again
    public void resume(long fh, SharedDescriptor file) {
        if (file == null) {
            lost.add(fh);
        } else {
            open.put(fh, file);
        }
    }

    /// Whether the guest has this handle.
    public boolean has(long fh) {
        return open.containsKey(fh) || lost.contains(fh);
    }

    /// The open file behind a handle, held until the caller closes it.
    ///
    /// @throws ErrnoException `EBADF` if it is no handle of an open file with this nodeid
    public OpenFile file(long fh, long nodeid) throws ErrnoException {
        if (open.get(fh) instanceof OpenFile file && file.nodeid() == nodeid && file.hold()) {
            return file;
        }
        throw unknown(fh, nodeid);
    }

    /// The open directory behind a handle, held until the caller closes it.
    ///
    /// @throws ErrnoException `EBADF` if it is no handle of an open directory with this nodeid
    public OpenDirectory directory(long fh, long nodeid) throws ErrnoException {
        if (open.get(fh) instanceof OpenDirectory directory && directory.nodeid() == nodeid && directory.hold()) {
            return directory;
        }
        throw unknown(fh, nodeid);
    }

    /// Whether the guest has the file open for writing. Looks through all that is open, as often as
    /// a file with set-ID bits is written to.
    public boolean isOpenForWriting(long nodeid) {
        return open.values().stream()
                .anyMatch(handle -> handle instanceof OpenFile file && file.writable() && file.nodeid() == nodeid);
    }

    /// RELEASE, RELEASEDIR: the guest is done with a handle; requests that still use it finish
    /// first.
    ///
    /// @throws ErrnoException `EBADF` if it is no handle, or one of another nodeid
    public void release(long fh, long nodeid) throws ErrnoException {
        if (lost.remove(fh)) {
            return;
        }
        SharedDescriptor handle = open.get(fh);
        boolean matches = switch (handle) {
            case OpenFile file -> file.nodeid() == nodeid;
            case OpenDirectory directory -> directory.nodeid() == nodeid;
            case null, default -> false;
        };
        if (!matches || !open.remove(fh, handle)) {
            throw unknown(fh, nodeid);
        }
        handle.close();
    }

    /// Releases all: the guest's file system starts anew, or is gone.
    public void clear() {
        lost.clear();
        for (Long fh : open.keySet()) {
            SharedDescriptor handle = open.remove(fh);
            if (handle != null) {
                handle.close();
            }
        }
    }

    /// How many handles the guest has.
    public int size() {
        return open.size() + lost.size();
    }

    private ErrnoException unknown(long fh, long nodeid) {
        return new ErrnoException(
                "handle " + fh + " of nodeid " + nodeid, lost.contains(fh) ? Errno.ESTALE : Errno.EBADF);
    }
}
