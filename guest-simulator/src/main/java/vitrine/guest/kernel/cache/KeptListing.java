package vitrine.guest.kernel.cache;

import java.util.ArrayList;
import java.util.List;
import vitrine.fuse.struct.Dirent;
import vitrine.posix.Timespec;

/// The entries of a directory, kept from the last listing if the server allows it
/// (`FOPEN_CACHE_DIR`; `fuse_readdir_cached` in Linux).
public final class KeptListing {

    private final List<Dirent> entries = new ArrayList<>();
    private boolean complete;
    private Timespec modified; // the directory's time when the listing began
    private long changes; // of our own in the directory
    private long changesAtBeginning;

    /// A name was made or removed by this guest.
    public synchronized void directoryChanged() {
        changes++;
    }

    /// Whether it has been kept to the end.
    public synchronized boolean isComplete() {
        return complete;
    }

    /// Whether the directory has changed since the listing began.
    public synchronized boolean isOutdated(Timespec modifiedNow) {
        return changes != changesAtBeginning || !modifiedNow.equals(modified);
    }

    /// Begins anew.
    public synchronized void begin(Timespec modifiedNow) {
        entries.clear();
        complete = false;
        modified = modifiedNow;
        changesAtBeginning = changes;
    }

    /// Takes a piece that continues what is kept; any other is passed over.
    ///
    /// @param offset where the piece begins
    public synchronized void keep(long offset, List<Dirent> piece) {
        long end = entries.isEmpty() ? 0 : entries.getLast().off();
        if (modified == null || complete || offset != end) {
            return;
        }
        entries.addAll(piece);
        complete = piece.isEmpty();
    }

    /// All entries.
    public synchronized List<Dirent> entries() {
        return List.copyOf(entries);
    }

    /// Forgets everything.
    public synchronized void drop() {
        entries.clear();
        complete = false;
        modified = null;
    }
}
