package vitrine.passthrough;

import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.Syscalls;

/// Whether two files of one [FileKey] are one file.
///
/// The key is enough while the file is open, be it with `O_PATH`: then no other file can have its
/// inode number. If the times of birth differ all the same, the descriptor is asked, for on a
/// network file system it may be otherwise. Of a file that is not open the file handles are
/// compared: births are not enough, because files that are made within a few milliseconds may share
/// theirs.
record SameFile(Syscalls sys, HostHandles handles) {

    /// Whether a known file is the one that was just found by a name.
    ///
    /// @param fd a descriptor of the one that was found
    boolean is(KnownFile known, Fd fd, FileStatus found) {
        try (Inode open = known.holdIfOpen()) {
            if (open != null) {
                return is(known, open, found);
            }
        }
        HostReference reference = known.reference();
        return reference != null && handles.isSame(fd, reference.handle());
    }

    /// The same of a file that is open.
    boolean is(KnownFile known, Inode open, FileStatus found) {
        if (known.looksLike(found)) {
            return true;
        }
        try {
            FileStatus now = sys.statx(open.fd(), Attributes.MASK);
            if (FileKey.of(now).equals(known.key())) {
                known.bornAt(now.btime());
            }
            return known.looksLike(found);
        } catch (ErrnoException _) {
            return false; // ESTALE: it is gone, although it is open
        }
    }
}
