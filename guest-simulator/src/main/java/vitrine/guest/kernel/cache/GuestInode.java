package vitrine.guest.kernel.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.SxTime;

/// A file as the guest's kernel knows it, as long as a name or an open file refers to it.
///
/// Guarded by its monitor; its lookup count by the [InodeCache].
public final class GuestInode extends BelievedAttributes {

    /// The root of the share always has this number (fuse.h: FUSE_ROOT_ID).
    public static final long ROOT = 1;

    private final long nodeid;
    private final ReentrantLock lock = new ReentrantLock();
    private final KeptListing listing = new KeptListing();
    private final List<LinuxFile> writers = new ArrayList<>();

    private boolean linkable; // it has never had a name, and may get one
    private boolean namesWereUsed; // of a directory: READDIRPLUS would have paid
    private boolean listed; // by a READDIRPLUS, and nobody has looked since
    private SxTime birth; // null until somebody has asked
    private String target; // of a link, if it may be kept

    private long lookups; // what FORGET has to give back
    private int references; // names and open files

    /// A file that nothing is known of yet but its number, and what it may be.
    ///
    /// @param attr attributes that are out of date already
    public GuestInode(long nodeid, Terms terms, Attr attr) {
        super(terms, attr);
        this.nodeid = nodeid;
    }

    /// The number by which the server knows it.
    public long nodeid() {
        return nodeid;
    }

    /// One change of the file at a time (`i_rwsem` in Linux): writes, truncations, names in it.
    public ReentrantLock lock() {
        return lock;
    }

    /// What is in it, if it is a directory whose listing may be kept.
    public KeptListing listing() {
        return listing;
    }

    /// A name was made or removed in the directory: all of its attributes have to be asked for.
    public void namesChanged() {
        changed(Part.ALL);
        listing.directoryChanged();
    }

    /// Somebody has looked at a name in the directory.
    public synchronized void namesWereUsed() {
        namesWereUsed = true;
    }

    /// Whether somebody has, since this was last asked.
    public synchronized boolean takeNamesWereUsed() {
        boolean were = namesWereUsed;
        namesWereUsed = false;
        return were;
    }

    /// READDIRPLUS has told of the file.
    public synchronized void wasListed() {
        listed = true;
    }

    /// Whether READDIRPLUS has, and this is the first look at the file since.
    public synchronized boolean takeListed() {
        boolean was = listed;
        listed = false;
        return was;
    }

    /// It was made without a name, and may be given one (`I_LINKABLE` in Linux), or not any more.
    public synchronized void linkable(boolean may) {
        linkable = may;
    }

    /// Whether it may be given a name although it has none.
    public synchronized boolean isLinkable() {
        return linkable;
    }

    /// When it was made, if anybody has asked; or null.
    public synchronized SxTime birth() {
        return birth;
    }

    /// What came of asking.
    public synchronized void birth(SxTime told) {
        birth = told;
    }

    /// What the link says, if it was kept; or null.
    public synchronized String target() {
        return target;
    }

    /// Keeps what the link says.
    public synchronized void target(String said) {
        target = said;
    }

    /// An open file that may write.
    public synchronized void addWriter(LinuxFile file) {
        writers.addFirst(file);
    }

    /// It is closed.
    public synchronized void removeWriter(LinuxFile file) {
        writers.remove(file);
    }

    /// The open file through which dirty pages go: the one opened last; null if there is none.
    public synchronized LinuxFile writer() {
        return writers.isEmpty() ? null : writers.getFirst();
    }

    void lookedUp() {
        lookups++;
    }

    long lookups() {
        return lookups;
    }

    void refer() {
        references++;
    }

    /// Whether that was the last reference.
    boolean unrefer() {
        return --references == 0;
    }
}
