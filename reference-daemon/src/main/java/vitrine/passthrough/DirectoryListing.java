package vitrine.passthrough;

import vitrine.fuse.struct.Dirent;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.EntryOut;
import vitrine.passthrough.held.HostEntries;
import vitrine.passthrough.held.InodeTable;
import vitrine.passthrough.held.OpenDirectory;
import vitrine.posix.DirectoryEntry;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.Name;
import vitrine.wire.WireWriter;

/// READDIR and READDIRPLUS: from the host's directory entries to the guest's, written where the
/// guest wants them.
///
/// The marks between the entries (`d_off`) are the host's own: they stay valid while other entries
/// come and go, which numbers would not.
final class DirectoryListing {

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
            HostEntries host = HostEntries.mine();
            host.goTo(offset, directory, sys);
            WireWriter out = new WireWriter(into);
            for (DirectoryEntry entry = host.next(); entry != null; entry = host.next()) {
                if (out.remaining() < (plus ? Direntplus.size(entry.name()) : Dirent.size(entry.name()))) {
                    if (out.written() == 0) {
                        throw new ErrnoException("readdir into " + into.size() + " bytes", Errno.EINVAL);
                    }
                    break; // before it is looked up: what the guest does not see must not count
                }
                write(directory, entry, plus, out);
                host.pass(entry);
            }
            return out.written();
        }
    }

    private void write(OpenDirectory directory, DirectoryEntry entry, boolean plus, WireWriter out)
            throws ErrnoException {
        boolean leadsOut = directory.nodeid() == InodeTable.ROOT && Names.isParent(entry.name());
        long ino = leadsOut ? directory.key().ino() : entry.ino(); // above the root is the root
        Dirent dirent = new Dirent(ino, entry.offset(), entry.type(), entry.name());
        if (plus) {
            new Direntplus(lookUp(directory, entry), dirent).encode(out);
        } else {
            dirent.encode(out);
        }
    }

    /// An entry that cannot be looked up is listed all the same: it may be gone by now, or no
    /// descriptor may be left for it, but the directory has it. The guest asks for it by name if it
    /// needs it.
    private EntryOut lookUp(OpenDirectory directory, DirectoryEntry entry) {
        Name name = entry.name();
        if (Names.isSelf(name) || Names.isParent(name)) {
            return Attributes.notLookedUp(); // the guest has both already
        }
        try {
            return entries.findListed(directory.fd(), directory.key(), name, entry.ino());
        } catch (ErrnoException _) {
            return Attributes.notLookedUp();
        }
    }
}
