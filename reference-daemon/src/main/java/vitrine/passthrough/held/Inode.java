package vitrine.passthrough.held;

import vitrine.dax.DaxFlag;
import vitrine.dax.HostFile;
import vitrine.posix.Fd;

/// A host file for which the guest has a nodeid, with an `O_PATH` descriptor: what a request works
/// on.
///
/// The descriptor names the file and keeps its inode number from being used again, but does not
/// open it, so a FIFO or a device has one too. As a rule it lasts as long as the nodeid, see
/// [KnownFile].
public final class Inode extends SharedDescriptor {

    private final KnownFile file;

    /// Takes over `fd`.
    Inode(DescriptorBudget budget, KnownFile file, Fd fd) {
        super(budget, fd);
        this.file = file;
    }

    /// What the table has of it.
    KnownFile file() {
        return file;
    }

    /// Whether the table keeps it open, and not only what opens it.
    public boolean isKept() {
        return file.reference() == null;
    }

    /// The number by which the guest calls it.
    public long nodeid() {
        return file.nodeid();
    }

    /// Where the table has it.
    public FileKey key() {
        return file.key();
    }

    /// The same, as the window calls it.
    public HostFile hostFile() {
        return new HostFile(key().device(), key().ino());
    }

    /// One of the `S_IF…` types of [vitrine.posix.Stat]. A file keeps its type for life.
    public int type() {
        return file.type();
    }

    /// Counts one more reply that tells the nodeid; false if the guest has just forgotten it.
    public boolean addLookup() {
        return file.addLookup();
    }

    /// Whether the file is marked for DAX on the host, as far as that is known.
    public DaxFlag daxFlag() {
        return file.daxFlag;
    }

    /// Root in the guest has removed the file's capabilities: perhaps the first half of a write,
    /// see `SetIdBits`.
    public void rootRemovedCapabilities() {
        file.rootRemovedCapabilities.set(true);
    }

    /// Whether root has done so since this was asked last.
    public boolean hasRootRemovedCapabilities() {
        return file.rootRemovedCapabilities.getAndSet(false);
    }
}
