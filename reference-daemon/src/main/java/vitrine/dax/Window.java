package vitrine.dax;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.RemoveMappingOne;
import vitrine.fuse.struct.SetupMappingIn;
import vitrine.memory.Mapper;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;

/// The DAX window: which piece of which file the guest sees where.
///
/// The guest decides. Linux divides the window into ranges of 2 MiB, puts pieces of files there as
/// it needs them, and takes them away again to have room for others. Each order goes to the front
/// end, and a request is answered when its orders are carried out; until then it is
/// [Reply.NotYet], and is tried again. Several queues ask at once.
///
/// What the guest says is a claim: it may overlap two pieces, or put in more than QEMU survives.
public final class Window {

    /// How many pieces there can be. QEMU 11 ends if it has more than about 510, the regions of the
    /// guest's memory included.
    public static final int MOST_PIECES = 256;

    /// The smallest window: two ranges. With one, a load across the border of two never ends.
    public static final long SMALLEST = 4L << 20;

    /// The largest window: as many ranges as there can be pieces.
    public static final long LARGEST = MOST_PIECES * (SMALLEST / 2);

    private final Syscalls sys;
    private final long size;
    private final Endless endless;
    private final List<PieceCopy> copies = new CopyOnWriteArrayList<>();
    private final TreeMap<Long, Piece> pieces = new TreeMap<>(); // by offset
    private Mapper mapper; // null: the front end has none for us
    private boolean stoodStill; // a queue has stopped since a piece was put in

    /// How a file of the share becomes one of which the front end maps any piece.
    @FunctionalInterface
    public interface Endless {
        /// Opens the file that has the same data, and no end, for reading and writing.
        ///
        /// @param file open for reading and writing; stays the caller's
        Fd open(Fd file) throws ErrnoException;
    }

    /// How a file is opened, if it has to be.
    @FunctionalInterface
    public interface Source {
        /// @param access `O_RDWR` or `O_RDONLY`
        Fd open(int access) throws ErrnoException;
    }

    /// @param size in bytes: a power of two, from [#SMALLEST] to [#LARGEST]
    public Window(Syscalls sys, long size, Endless endless) {
        this.sys = sys;
        this.size = size;
        this.endless = endless;
    }

    /// For a share that has none.
    public static Window none() {
        return new Window(null, 0, null);
    }

    /// How large it is, in bytes; 0 for none.
    public long size() {
        return size;
    }

    /// What pieces begin at multiples of, as the power of two that INIT has a place for.
    public int alignment() {
        return size == 0 ? 0 : Integer.numberOfTrailingZeros(sys.pageSize());
    }

    /// The front end fills the window from now on; null if it has left, and taken the window along.
    public synchronized void use(Mapper next) {
        mapper = next;
        forget();
    }

    /// Whether the guest has a window.
    public synchronized boolean isThere() {
        return mapper != null;
    }

    /// How many pieces are in the window, or on their way.
    public synchronized int pieces() {
        return pieces.size();
    }

    /// The device was reset, and the front end has taken away what was there (vhost-user: "Shared
    /// memory regions").
    public synchronized void forget() {
        pieces.values().forEach(this::closeCopy);
        pieces.clear();
    }

    /// A queue has stopped. Front ends do not tell of every reset, but each begins so.
    public synchronized void queueStopped() {
        stoodStill = true;
    }

    /// INIT: the guest's kernel is a new one, which has put nothing anywhere. If the device has
    /// gone on all the while, nothing was taken away either, whatever the guest says: then the
    /// pieces stay counted, for QEMU bears only so many, and give way to new ones.
    public synchronized void begin() {
        if (stoodStill) {
            forget();
        }
    }

    /// SETUPMAPPING: puts a piece of a file into the window, in place of what is there.
    ///
    /// @throws ErrnoException `ENOSYS` without a window, `EINVAL` for what cannot be, `ENOSPC` for
    ///     more than QEMU bears, `EIO` if the front end refuses; to write to what nobody may write
    ///     to, what open(2) says
    public Reply setup(SetupMappingIn in, HostFile file, Source source) throws ErrnoException {
        requireThere();
        return setup(Piece.of(in, file, sys.pageSize(), size), source);
    }

    private synchronized Reply setup(Piece wanted, Source source) throws ErrnoException {
        while (true) {
            Piece there = at(wanted.offset);
            if (there == null && wanted.change != null) {
                wanted.requireThere();
                return Reply.EMPTY; // somebody may have taken it away since
            } else if (there == null) {
                if (!put(wanted, source)) {
                    return new Reply.NotYet(() -> setup(wanted, source), Reply.WaitsFor.A_LEASE);
                }
            } else if (there.isOnItsWay()) {
                return new Reply.NotYet(() -> setup(wanted, source), Reply.WaitsFor.THE_FRONT_END);
            } else if (there.shows(wanted)) {
                requireWritable(there, wanted, source);
                return Reply.EMPTY;
            } else if (there.is(wanted.offset, wanted.length)) {
                takeAway(there);
            } else {
                throw wanted.isAcrossAnother();
            }
        }
    }

    private void requireWritable(Piece there, Piece wanted, Source source) throws ErrnoException {
        if (wanted.writes && there.copy != null) {
            throw new ErrnoException("only a copy of the file is in the window", there.copy.refusal());
        }
        if (wanted.writes && !there.hasRoom) {
            try (Fd file = source.open(Fcntl.O_RDWR)) {
                there.makeRoom(true, file, sys);
            }
        }
    }

    /// @return whether it could be opened at once. Nobody waits here for the holder of a lease, for
    ///     the whole window would
    private boolean put(Piece wanted, Source source) throws ErrnoException {
        if (pieces.values().stream().anyMatch(wanted::overlaps)) {
            throw wanted.isAcrossAnother();
        }
        if (pieces.size() >= MOST_PIECES) {
            throw new ErrnoException("more than " + MOST_PIECES + " pieces in the window", Errno.ENOSPC);
        }
        requireThere();
        try {
            wanted.change = order(wanted, source);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EWOULDBLOCK) {
                return false;
            }
            throw e;
        }
        stoodStill = false;
        pieces.put(wanted.offset, wanted);
        return true;
    }

    private Mapper.Change order(Piece wanted, Source source) throws ErrnoException {
        Fd file;
        try {
            file = source.open(Fcntl.O_RDWR);
        } catch (ErrnoException e) {
            if (wanted.writes || !PieceCopy.isReason(e.errno())) {
                throw e;
            }
            return orderCopy(wanted, source, e.errno());
        }
        try (file) {
            wanted.makeRoom(wanted.writes, file, sys);
            return mapper.map(endless.open(file), wanted.fileOffset, wanted.offset, wanted.length);
        }
    }

    private Mapper.Change orderCopy(Piece wanted, Source source, int refusal) throws ErrnoException {
        wanted.copy = new PieceCopy(sys, source.open(Fcntl.O_RDONLY), wanted, refusal);
        copies.add(wanted.copy);
        return mapper.map(wanted.copy.memory(), 0, wanted.offset, wanted.length);
    }

    private void closeCopy(Piece piece) {
        if (piece.copy != null) {
            copies.remove(piece.copy);
            piece.copy.close();
        }
    }

    /// The pieces of a file that the guest may store into.
    synchronized List<Piece> withRoom(HostFile file) {
        return pieces.values().stream()
                .filter(piece -> piece.hasRoom && piece.file.equals(file))
                .toList();
    }

    /// The guest has asked for something, and may believe from the answer on that a file is another
    /// one: what is a copy is made anew.
    public void renewCopies() {
        copies.forEach(PieceCopy::renew);
    }

    /// REMOVEMAPPING: takes pieces out of the window.
    ///
    /// @throws ErrnoException `EINVAL` if one of them is none; the others are taken out all the
    ///     same
    public synchronized Reply remove(List<RemoveMappingOne> ranges) throws ErrnoException {
        requireThere();
        Set<Piece> leaving = new LinkedHashSet<>(); // the guest may name one a thousand times
        for (RemoveMappingOne range : ranges) {
            Piece there = at(range.moffset());
            if (there != null && there.is(range.moffset(), range.len())) {
                leaving.add(there);
            }
        }
        return remove(List.copyOf(leaving), leaving.size() == ranges.size());
    }

    /// DESTROY: takes everything out of the window.
    public synchronized Reply empty() throws ErrnoException {
        return remove(List.copyOf(pieces.values()), true);
    }

    private synchronized Reply remove(List<Piece> leaving, boolean all) throws ErrnoException {
        boolean waits = false;
        for (Piece piece : leaving) {
            if (at(piece.offset) == piece && !piece.leaves && !piece.isOnItsWay()) {
                takeAway(piece);
            }
            waits |= at(piece.offset) == piece;
        }
        if (waits) {
            return new Reply.NotYet(() -> remove(leaving, all), Reply.WaitsFor.THE_FRONT_END);
        }
        if (!all) {
            throw new ErrnoException("a part of the window that is no piece", Errno.EINVAL);
        }
        return Reply.EMPTY;
    }

    private void takeAway(Piece piece) throws ErrnoException {
        requireThere();
        piece.change = mapper.unmap(piece.offset, piece.length);
        piece.leaves = true;
    }

    /// The piece at an offset, as the front end has made it by now; null for none.
    private Piece at(long offset) {
        Piece piece = pieces.get(offset);
        if (piece == null || piece.isOnItsWay()) {
            return piece;
        }
        int errno = piece.change.errno();
        if (piece.leaves && errno == Errno.EAGAIN) {
            piece.leaves = false; // the rings stopped before the order was out
        } else if (piece.leaves || errno != 0) {
            closeCopy(piece);
            pieces.remove(offset);
            return null;
        }
        return piece;
    }

    /// Lets pass who has a window.
    ///
    /// @throws ErrnoException `ENOSYS`
    public synchronized void requireThere() throws ErrnoException {
        if (mapper == null) {
            throw new ErrnoException("there is no DAX window", Errno.ENOSYS);
        }
    }
}
