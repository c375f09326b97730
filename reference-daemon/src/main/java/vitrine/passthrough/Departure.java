package vitrine.passthrough;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import vitrine.migration.CannotMoveException;
import vitrine.migration.MigrationOptions;
import vitrine.migration.StateRecord;
import vitrine.migration.StateWriter;
import vitrine.passthrough.held.FileKey;
import vitrine.passthrough.held.Inode;
import vitrine.passthrough.held.InodeTable;
import vitrine.passthrough.held.KnownFile;
import vitrine.passthrough.held.OpenDirectory;
import vitrine.passthrough.held.OpenFile;
import vitrine.passthrough.held.SharedDescriptor;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.FileHandle;
import vitrine.posix.FileStatus;
import vitrine.posix.Syscalls;

/// Says all that the guest holds, so that another daemon can find it again.
///
/// What cannot be found again by anything is said too: the other daemon decides what becomes of the
/// guest then ([MigrationOptions.OnError]).
final class Departure {

    /// Flags of open(2) that are as important there as here.
    static final int KEPT_FLAGS = Fcntl.O_ACCMODE | Fcntl.O_SYNC | Fcntl.O_DSYNC | Fcntl.O_DIRECT | Fcntl.O_NOATIME;

    private final Share share;
    private final Syscalls sys;
    private final InodeTable inodes;
    private final MigrationOptions options;

    Departure(Share share) {
        this.share = share;
        sys = share.sys();
        inodes = share.inodes();
        options = share.options().migration();
    }

    /// Writes it.
    void write(StateWriter out) throws CannotMoveException, IOException {
        requireNoLocks();
        Negotiation agreed = share.negotiation();
        out.write(new StateRecord.Session(
                agreed.minor(),
                agreed.flags(),
                inodes.nodeids().last(),
                share.handles().lastHandle(),
                inodes.nodeids().generation()));
        if (agreed.minor() != 0) {
            writeFiles(out);
            for (Map.Entry<Long, SharedDescriptor> open : share.handles().open().entrySet()) {
                out.write(open(open.getKey(), open.getValue()));
            }
        }
        out.end();
    }

    /// The host would give them to somebody else before the other daemon could take them.
    private void requireNoLocks() throws CannotMoveException {
        boolean flocks = share.handles().open().values().stream()
                .anyMatch(open -> open instanceof OpenFile file && file.isLocked());
        if (flocks || share.locks().ranges() > 0) {
            throw new CannotMoveException("it holds locks on the host (--posix-lock, --flock),"
                    + " which would be lost on the way; wait until its programs have given them up");
        }
    }

    private void writeFiles(StateWriter out) throws CannotMoveException, IOException {
        try (Inode root = inodes.hold(InodeTable.ROOT)) {
            HostPaths paths = new HostPaths(sys, root.fd());
            List<KnownFile> nameless = new ArrayList<>(); // that have names, but the host does not say which
            for (KnownFile file : inodes.known()) {
                StateRecord.File record = record(file, paths);
                if (record.path() == null && !(byHandle() && record.handle() != null) && hasName(file)) {
                    nameless.add(file);
                } else {
                    out.write(record);
                }
            }
            writeFound(nameless, paths, out);
        } catch (ErrnoException e) {
            throw new CannotMoveException("the shared directory: " + e.getMessage());
        }
    }

    private void writeFound(List<KnownFile> nameless, HostPaths paths, StateWriter out)
            throws ErrnoException, IOException {
        Map<FileKey, KnownFile> wanted = new HashMap<>();
        nameless.forEach(file -> wanted.put(file.key(), file));
        Map<FileKey, byte[]> found = wanted.isEmpty() ? Map.of() : paths.search(wanted.keySet());
        for (KnownFile file : nameless) {
            byte[] path = found.get(file.key());
            FileHandle handle = options.verifyHandles() ? handleOf(file) : null;
            boolean canBeVerified = handle != null || !options.verifyHandles();
            out.write(record(file, canBeVerified ? path : null, handle));
        }
    }

    private FileHandle handleOf(KnownFile file) {
        try (Inode inode = inodes.hold(file.nodeid())) {
            return inodes.handle(inode);
        } catch (ErrnoException _) {
            return null;
        }
    }

    private StateRecord.File record(KnownFile file, HostPaths paths) {
        try (Inode inode = inodes.hold(file.nodeid())) {
            FileHandle handle = handle(inode);
            byte[] path = handle == null || options.verifyHandles() && !byHandle() ? path(inode, paths) : null;
            if (path == null && handle == null) {
                handle = lastResort(inode);
            }
            return record(file, path, handle);
        } catch (ErrnoException _) {
            return record(file, null, null); // it is gone
        }
    }

    private static StateRecord.File record(KnownFile file, byte[] path, FileHandle handle) {
        return new StateRecord.File(file.nodeid(), file.lookups(), file.type(), file.birth(), path, handle);
    }

    private boolean byHandle() {
        return options.mode() == MigrationOptions.Mode.FILE_HANDLES;
    }

    /// A handle of another mount inside the share would need that mount to be found as well.
    private FileHandle handle(Inode inode) throws ErrnoException {
        boolean wanted = byHandle() && inode.key().isBeside(inodes.rootKey()) || options.verifyHandles();
        return wanted ? inodes.handle(inode) : null;
    }

    /// A file without a name can be found by its handle, as long as somebody has it open.
    private FileHandle lastResort(Inode inode) throws ErrnoException {
        boolean unlinked = sys.statx(inode.fd(), FileStatus.ALL).nlink() == 0;
        return unlinked && inode.key().isBeside(inodes.rootKey()) ? inodes.handle(inode) : null;
    }

    /// What the kernel says is the name by which it was found. Of a file that is not kept open
    /// nobody knows how that was, so there it is a guess.
    private byte[] path(Inode inode, HostPaths paths) throws ErrnoException {
        byte[] told = paths.told(inode.fd());
        boolean isSure = !options.confirmPaths() && inode.isKept();
        return told != null && (isSure || paths.leadsTo(told, inode.key())) ? told : null;
    }

    private boolean hasName(KnownFile file) {
        try (Inode inode = inodes.hold(file.nodeid())) {
            return sys.statx(inode.fd(), FileStatus.ALL).nlink() > 0;
        } catch (ErrnoException _) {
            return false;
        }
    }

    private StateRecord.Open open(long fh, SharedDescriptor open) throws CannotMoveException {
        try {
            int flags = sys.fcntl(open.fd(), Fcntl.F_GETFL, 0) & KEPT_FLAGS;
            return switch (open) {
                case OpenFile file -> new StateRecord.Open(fh, file.nodeid(), false, flags, file.writable());
                case OpenDirectory directory -> new StateRecord.Open(fh, directory.nodeid(), true, flags, false);
                default -> throw new IllegalStateException("a handle of " + open);
            };
        } catch (ErrnoException e) {
            throw new CannotMoveException("handle " + fh + ": " + e.getMessage());
        }
    }
}
