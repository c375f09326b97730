package vitrine.guest.frontend;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import vitrine.memory.AddressSpace;
import vitrine.memory.GuestMemory.Region;
import vitrine.memory.NotGuestMemoryException;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.KernelCalls;
import vitrine.posix.Syscalls;

/// The guest's memory, from its own side: files in memory that the device maps as well.
///
/// An address of this process, where a piece is mapped here, is what vhost-user calls a user
/// address. There are no page tables: guest addresses are physical.
public final class GuestRam implements AddressSpace, AutoCloseable {

    private static final long PAGE = 4096;

    private final Syscalls sys;
    private final List<Piece> pieces = new CopyOnWriteArrayList<>();
    private final List<Mapping> mappings = new CopyOnWriteArrayList<>();
    private final RamLayout.Range pool;
    private long poolUsed;

    /// A piece of memory as it is announced to the device.
    ///
    /// @param region where it lies
    /// @param fd what the device is to map
    /// @param memory the piece itself
    public record Piece(Region region, Fd fd, MemorySegment memory) {}

    private record Mapping(Fd fd, MemorySegment whole) {}

    /// Memory as laid out, all zero.
    ///
    /// @throws ErrnoException if the host does not give so much
    public GuestRam(Syscalls sys, RamLayout layout) throws ErrnoException {
        this.sys = sys;
        this.pool = layout.ranges().getLast();
        Mapping mapping = map("guest-ram", layout.end());
        for (RamLayout.Range range : layout.ranges()) {
            pieces.add(piece(mapping, range.start(), range));
        }
    }

    /// Adds memory while the guest runs, as a DIMM is plugged in.
    ///
    /// @throws ErrnoException if the host does not give so much
    public Piece plug(RamLayout.Range range) throws ErrnoException {
        Piece piece = piece(map("guest-dimm", range.size()), 0, range);
        pieces.add(piece);
        return piece;
    }

    /// Takes away memory that was plugged in. Nobody may use it any more, the device neither.
    public void unplug(Piece piece) {
        pieces.remove(piece);
        mappings.stream().filter(mapping -> mapping.fd() == piece.fd()).toList().forEach(this::unmap);
    }

    /// All pieces there are.
    public List<Piece> pieces() {
        return List.copyOf(pieces);
    }

    /// Where it ends: no guest address above it is memory.
    public long end() {
        return pieces.stream()
                .mapToLong(
                        piece -> piece.region().guestAddress() + piece.region().size())
                .max()
                .orElse(0);
    }

    /// Reserves memory for ever: for rings, and for whatever a driver wants to manage by itself.
    ///
    /// @param bytes how much; all zero unless somebody wrote there already
    /// @param alignment a power of two
    /// @return the guest address
    public synchronized long reserve(long bytes, long alignment) {
        long start = (pool.start() + poolUsed + alignment - 1) & -alignment;
        if (start + bytes > pool.end()) {
            throw new IllegalStateException("the guest's memory is too small for another " + bytes + " bytes");
        }
        poolUsed = start + bytes - pool.start();
        return start;
    }

    /// The memory at a guest address.
    ///
    /// @throws NotGuestMemoryException if it does not lie in one piece
    @Override
    public MemorySegment guest(long address, long length) throws NotGuestMemoryException {
        for (Piece piece : pieces) {
            long offset = address - piece.region().guestAddress();
            if (offset >= 0 && length > 0 && length <= piece.region().size() - offset) {
                return piece.memory().asSlice(offset, length);
            }
        }
        throw new NotGuestMemoryException("guest", address, length);
    }

    @Override
    public long reach(long address) {
        for (Piece piece : pieces) {
            long offset = address - piece.region().guestAddress();
            if (offset >= 0 && offset < piece.region().size()) {
                return piece.region().size() - offset;
            }
        }
        return 0;
    }

    /// The memory at an address that was reserved here, and so exists.
    public MemorySegment reserved(long address, long length) {
        try {
            return guest(address, length);
        } catch (NotGuestMemoryException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /// The user address of a guest address that was reserved here.
    public long userAddress(long guestAddress) {
        return reserved(guestAddress, 1).address();
    }

    /// Unmaps everything. Nobody may use it any more.
    @Override
    public void close() {
        pieces.clear();
        List.copyOf(mappings).forEach(this::unmap);
    }

    private Mapping map(String name, long bytes) throws ErrnoException {
        if (bytes % PAGE != 0) {
            throw new IllegalArgumentException("memory of " + bytes + " bytes does not end at a page");
        }
        Fd fd = sys.memfdCreate(name);
        try {
            sys.ftruncate(fd, bytes);
            int protection = KernelCalls.PROT_READ | KernelCalls.PROT_WRITE;
            int flags = KernelCalls.MAP_SHARED | KernelCalls.MAP_NORESERVE;
            Mapping mapping = new Mapping(fd, sys.mmap(fd, 0, bytes, protection, flags));
            mappings.add(mapping);
            return mapping;
        } catch (ErrnoException e) {
            fd.close();
            throw e;
        }
    }

    private static Piece piece(Mapping mapping, long fileOffset, RamLayout.Range range) {
        MemorySegment memory = mapping.whole().asSlice(fileOffset, range.size());
        Region region = new Region(range.start(), range.size(), memory.address(), fileOffset);
        return new Piece(region, mapping.fd(), memory);
    }

    private void unmap(Mapping mapping) {
        mappings.remove(mapping);
        mapping.fd().close();
        try {
            sys.munmap(mapping.whole());
        } catch (ErrnoException e) {
            throw new IllegalStateException("what was mapped here cannot be unmapped: " + e.getMessage(), e);
        }
    }
}
