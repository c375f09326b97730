package vitrine.passthrough;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import vitrine.fuse.struct.Dirent;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.EntryOut;
import vitrine.posix.DirectoryEntry;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.Name;
import vitrine.wire.WireWriter;

/// READDIR and READDIRPLUS: from the host's directory entries to the guest's, written where the
/// guest wants them.
///
/// One `getdents64` a request. It may read more entries than the guest has room for; then the
/// descriptor stands too far ahead, and the next request puts it back. The marks between the
/// entries (`d_off`) are the host's own: they stay valid while other entries come and go, which
/// numbers would not.
final class DirectoryListing {

    private static final int LARGEST_READ = 32 * 1024; // bytes of getdents64, as glibc reads
    private static final int ONE_ENTRY = 280; // the longest host entry: 19 + 255 + NUL, rounded up
    private static final int PLUS_RATIO = 4; // so many host entries in the room of one READDIRPLUS entry, roughly

    private static final ThreadLocal<MemorySegment> BUFFER =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(LARGEST_READ, Long.BYTES));

    private final Syscalls sys;
    private final Entries entries;

    DirectoryListing(Syscalls sys, Entries entries) {
        this.sys = sys;
        this.entries = entries;
    }

    /// Fills `into` with the entries from the mark `offset` on.
    ///
    /// @param plus whether each entry is looked up as well
    /// @return how many bytes of `into` are filled; 0 at the end of the directory
    /// @throws ErrnoException `EINVAL` if not even one entry fits: an empty answer would mean "the
    ///     end"
    long read(OpenDirectory directory, long offset, Buffers into, boolean plus) throws ErrnoException {
        synchronized (directory) {
            boolean there = directory.isAt(offset);
            directory.movedAhead(); // wherever it stands if this fails
            if (!there) {
                sys.lseek(directory.fd(), offset, Fcntl.SEEK_SET);
            }
            MemorySegment read = readHost(directory, plus ? into.size() / PLUS_RATIO : into.size());
            WireWriter out = new WireWriter(into);
            long mark = offset;
            long at = 0;
            while (at < read.byteSize()) {
                DirectoryEntry entry = DirectoryEntry.read(read, at);
                if (out.remaining() < (plus ? Direntplus.size(entry.name()) : Dirent.size(entry.name()))) {
                    break; // before it is looked up: what the guest does not see must not count
                }
                write(directory, entry, plus, out);
                mark = entry.offset();
                at += entry.recordLength();
            }
            if (at == read.byteSize()) {
                directory.movedTo(mark);
            } else if (at == 0) {
                throw new ErrnoException("readdir into " + into.size() + " bytes", Errno.EINVAL);
            }
            return out.written();
        }
    }

    private MemorySegment readHost(OpenDirectory directory, long wanted) throws ErrnoException {
        long size = Math.clamp(wanted, ONE_ENTRY, LARGEST_READ);
        MemorySegment buffer = BUFFER.get();
        try {
            return buffer.asSlice(0, sys.getdents64(directory.fd(), buffer.asSlice(0, size)));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                throw new ErrnoException(e.call(), Errno.ESTALE); // removed; it is no name that is missing
            }
            throw e;
        }
    }

    private void write(OpenDirectory directory, DirectoryEntry entry, boolean plus, WireWriter out)
            throws ErrnoException {
        boolean leadsOut = directory.nodeid() == InodeTable.ROOT && Names.isParent(entry.name());
        long ino = leadsOut ? directory.key().ino() : entry.ino(); // above the root is the root
        Dirent dirent = new Dirent(ino, entry.offset(), entry.type(), entry.name());
        if (plus) {
            new Direntplus(lookUp(directory, entry.name()), dirent).encode(out);
        } else {
            dirent.encode(out);
        }
    }

    /// An entry that cannot be looked up is listed all the same: it may be gone by now, or no
    /// descriptor may be left for it, but the directory has it. The guest asks for it by name if it
    /// needs it.
    private EntryOut lookUp(OpenDirectory directory, Name name) {
        if (Names.isSelf(name) || Names.isParent(name)) {
            return Attributes.notLookedUp(); // the guest has both already
        }
        try {
            return entries.find(directory.fd(), directory.key(), name);
        } catch (ErrnoException _) {
            return Attributes.notLookedUp();
        }
    }
}
