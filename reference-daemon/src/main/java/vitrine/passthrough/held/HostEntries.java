package vitrine.passthrough.held;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import vitrine.posix.DirectoryEntry;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Syscalls;

/// Directory entries that a thread has read from the host and the guest has not got yet.
///
/// The host gives a thousand at once, the guest takes some 25 a request. What is over waits here
/// for the next request: to read it again would take an `lseek` back, after which ext4 sorts the
/// whole block of entries anew. The guest may have many directories open, so nothing is kept for
/// each: the memory is the thread's, and good for the one that it has read from last.
public final class HostEntries {

    private static final int SIZE = 32 * 1024; // as glibc reads
    private static final ThreadLocal<HostEntries> OF_THREAD = ThreadLocal.withInitial(HostEntries::new);

    private final MemorySegment buffer = Arena.ofAuto().allocate(SIZE, Long.BYTES);
    private OpenDirectory directory; // that they are of; null: nobody's
    private long mark; // of the next entry
    private int at; // where it lies; at the end, there is none
    private int end;

    private HostEntries() {}

    /// Those of the calling thread.
    public static HostEntries mine() {
        return OF_THREAD.get();
    }

    /// Goes to a mark of a directory, whose monitor the caller has. Unless it is there already, it
    /// reads from the host: then there is no next entry only at the end of the directory.
    ///
    /// @throws ErrnoException `ENOENT` if the host has removed the directory, as of any that is
    ///     open: readdir(3) takes that for the end, and no other error
    public void goTo(long offset, OpenDirectory wanted, Syscalls sys) throws ErrnoException {
        if (at < end && mark == offset && directory == wanted && wanted.isReadBy(this)) {
            return;
        }
        boolean there = wanted.isAt(offset);
        wanted.readBy(this); // wherever it stands if this fails
        directory = null;
        if (!there) {
            sys.lseek(wanted.fd(), offset, Fcntl.SEEK_SET);
        }
        end = sys.getdents64(wanted.fd(), buffer);
        at = 0;
        mark = offset;
        directory = wanted;
    }

    /// The next entry, or null if there is none here.
    public DirectoryEntry next() {
        return at == end ? null : DirectoryEntry.read(buffer, at);
    }

    /// The guest has got the next entry.
    public void pass(DirectoryEntry entry) {
        at += entry.recordLength();
        mark = entry.offset();
        if (at == end) {
            directory.movedTo(mark);
        }
    }
}
