package vitrine.passthrough.held;

import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.FileHandle;
import vitrine.posix.FileStatus;
import vitrine.posix.Syscalls;

/// Whether two files of one [FileKey] are one file.
///
/// The key is enough while the file is open, be it with `O_PATH`: then no other file can have its
/// inode number. If the times of birth differ all the same, the descriptor is asked, for on a
/// network file system it may be otherwise. Of a file that is not open the file handles are
/// compared: births are not enough, because files that are made within a few milliseconds may share
/// theirs.
///
/// Nodeids serve as moments. They are counted up and belong to one file for ever, so a file whose
/// nodeid is not newer than the newest of some moment was there at that moment.
record SameFile(Syscalls sys, HostHandles handles, ForgottenFiles forgotten) {

    /// Whether a known file is the one that was just found by a name.
    ///
    /// @param fd a descriptor of the one that was found
    /// @param asked its handle; null if that was not asked
    boolean is(KnownFile known, Fd fd, FileStatus found, FileHandle asked) {
        try (Inode open = known.holdIfOpen()) {
            if (open != null) {
                return is(known, open, found);
            }
        }
        HostReference reference = known.reference();
        return reference != null && reference.handle().equals(asked != null ? asked : handles.handle(fd));
    }

    /// The same of a file that is open.
    boolean is(KnownFile known, Inode open, FileStatus found) {
        if (known.looksLike(found)) {
            return true;
        }
        try {
            FileStatus now = sys.statx(open.fd(), FileStatus.ALL);
            if (FileKey.of(now).equals(known.key())) {
                known.bornAt(now.btime());
            }
            return known.looksLike(found);
        } catch (ErrnoException _) {
            return false; // ESTALE: it is gone, although it is open
        }
    }

    /// Asks for the handle of a file if it may be one whose handle is kept; null if it cannot be.
    ///
    /// @param known what has its key; null if nothing
    FileHandle handleIfKept(KnownFile known, Fd fd, FileStatus status) {
        boolean kept = known != null && known.reference() != null || forgotten.mayHave(status);
        return kept ? handles.handle(fd) : null;
    }

    /// Whether a file was known by its key at some moment. If so, no other has had the key since:
    /// no other ever has its handle, so it was there all the time.
    ///
    /// @param known what has the key; null if nothing
    /// @param handle what its file system calls the file; null if that is not known
    /// @param newest the newest nodeid of that moment
    boolean wasKnown(KnownFile known, FileKey key, FileHandle handle, long newest) {
        if (handle == null) {
            return false;
        }
        HostReference reference = known == null ? null : known.reference();
        boolean isKnown = reference != null && reference.handle().equals(handle);
        long nodeid = isKnown ? known.nodeid() : forgotten.nodeid(key, handle);
        return nodeid != 0 && nodeid <= newest;
    }
}
