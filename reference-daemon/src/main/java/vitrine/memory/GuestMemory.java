package vitrine.memory;

import static vitrine.posix.KernelCalls.MAP_NORESERVE;
import static vitrine.posix.KernelCalls.MAP_SHARED;
import static vitrine.posix.KernelCalls.PROT_READ;
import static vitrine.posix.KernelCalls.PROT_WRITE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiPredicate;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;

/// The guest's memory: regions, each mapped from a descriptor that the front end sent.
///
/// Regions come and go while queues run (memory hotplug). A queue is *inside* between [#enter] and
/// [#leave]; a region is unmapped only while nobody is, so a segment that was looked up inside is
/// good until [#leave], and not a moment longer. A segment that is used later answers
/// [IllegalStateException], unless it is the kernel that is given it (`EFAULT`).
///
/// Adding and removing is done by one thread at a time, that of the vhost-user connection, which
/// must not be inside.
public final class GuestMemory implements AddressSpace, AutoCloseable {

    private final Syscalls sys;
    private final BiPredicate<FileStatus, Region> mayShrink;
    private final ReentrantReadWriteLock quiescence = new ReentrantReadWriteLock();
    private volatile RegionTable table = RegionTable.EMPTY;
    private volatile DirtyLog log; // null: nobody wants to know

    /// A piece of the guest's memory (vhost-user: "Memory region description").
    ///
    /// @param guestAddress where the guest's hardware has it: what descriptors say
    /// @param size in bytes
    /// @param userAddress where the front end has mapped it itself: what ring addresses say
    /// @param fileOffset where it begins in the file behind its descriptor
    public record Region(long guestAddress, long size, long userAddress, long fileOffset) {}

    /// No memory yet.
    public GuestMemory(Syscalls sys) {
        this(sys, (_, _) -> false);
    }

    /// The same for a guest that sees files of the share in its memory (a DAX window).
    ///
    /// @param mayShrink whether a region of this file is a piece of such a file, which anybody may
    ///     shorten: what Java touches behind the end of a file is `SIGBUS`, and the end of this
    ///     process. The kernel answers `EFAULT`. So only the kernel gets at such a region
    public GuestMemory(Syscalls sys, BiPredicate<FileStatus, Region> mayShrink) {
        this.sys = sys;
        this.mayShrink = mayShrink;
    }

    /// Maps one more region. The descriptor is not needed afterwards.
    ///
    /// @throws ErrnoException `EINVAL` with the reason if the region overlaps another one, is
    ///     larger than its file, or ends beyond the last address
    public void add(Region region, Fd fd) throws ErrnoException {
        requireRoom(region, table);
        MappedRegion mapped = map(region, fd);
        table = table.with(mapped); // nobody can have looked it up before: no need to wait
    }

    /// Unmaps a region, as soon as no queue is inside.
    ///
    /// @param region its guest address, user address and size decide which (vhost-user:
    ///     `VHOST_USER_REM_MEM_REG`)
    /// @throws ErrnoException `EINVAL` if there is no such region
    public void remove(Region region) throws ErrnoException {
        MappedRegion mapped = table.find(region);
        if (mapped == null) {
            throw new ErrnoException("there is no " + region, Errno.EINVAL);
        }
        swap(table.without(mapped), List.of(mapped));
    }

    /// Maps these regions instead of all that there were (vhost-user: `VHOST_USER_SET_MEM_TABLE`).
    /// What is in both is left alone.
    ///
    /// If one of them cannot be mapped, nothing changes.
    public void replace(List<Region> regions, List<Fd> fds) throws ErrnoException {
        if (regions.size() != fds.size()) {
            throw new ErrnoException(regions.size() + " regions, " + fds.size() + " descriptors", Errno.EINVAL);
        }
        List<MappedRegion> before = table.mapped();
        RegionTable next = RegionTable.EMPTY;
        try {
            for (int i = 0; i < regions.size(); i++) {
                Region region = regions.get(i);
                requireRoom(region, next);
                MappedRegion same = same(before, region, fds.get(i));
                next = next.with(same != null ? same : map(region, fds.get(i)));
            }
        } catch (ErrnoException e) {
            without(next.mapped(), before).forEach(MappedRegion::unmap);
            throw e;
        }
        swap(next, without(before, next.mapped()));
    }

    /// Which of the regions that are mapped now [#replace] would unmap.
    public List<Region> leaving(List<Region> regions, List<Fd> fds) throws ErrnoException {
        List<MappedRegion> leaving = new ArrayList<>(table.mapped());
        for (int i = 0; i < Math.min(regions.size(), fds.size()); i++) {
            leaving.remove(same(leaving, regions.get(i), fds.get(i)));
        }
        return leaving.stream().map(MappedRegion::region).toList();
    }

    private MappedRegion same(List<MappedRegion> among, Region region, Fd fd) throws ErrnoException {
        FileStatus file = sys.statx(fd, Stat.STATX_INO);
        return among.stream().filter(one -> one.is(region, file)).findFirst().orElse(null);
    }

    private static List<MappedRegion> without(List<MappedRegion> all, List<MappedRegion> some) {
        return all.stream().filter(one -> !some.contains(one)).toList();
    }

    /// The `length` bytes at a guest address, where a descriptor points to.
    @Override
    public MemorySegment guest(long guestAddress, long length) throws NotGuestMemoryException {
        return table.guest(guestAddress, length);
    }

    @Override
    public long reach(long guestAddress) {
        return table.guestReach(guestAddress);
    }

    /// The `length` bytes at an address in the front end's own memory, as the addresses of rings
    /// are given (vhost-user: `VHOST_USER_SET_VRING_ADDR`).
    ///
    /// @throws NotGuestMemoryException if they are not all in one region
    public MemorySegment user(long userAddress, long length) throws NotGuestMemoryException {
        return table.user(userAddress, length);
    }

    /// The guest address of memory that was looked up here, or -1 if its region is gone.
    public long guestAddress(MemorySegment part) {
        return table.guestAddress(part);
    }

    /// From now on notes what is written to in this log instead of the one before. When this
    /// returns, nobody uses that any more.
    ///
    /// @param next stays the caller's; null for none
    /// @throws ErrnoException `EINVAL` if it has no room for all the memory there is
    public void log(DirtyLog next) throws ErrnoException {
        for (Region region : regions()) {
            requireRoom(region, next);
        }
        alone(() -> log = next);
    }

    /// These bytes of the guest's have been written to.
    public void wrote(Buffers bytes) {
        if (log != null) {
            bytes.parts().forEach(part -> wrote(table.guestAddress(part), part.byteSize()));
        }
    }

    /// The `length` bytes at a guest address have been written to.
    public void wrote(long guestAddress, long length) {
        if (log != null && guestAddress != -1) {
            note(guestAddress, length);
        }
    }

    private void note(long guestAddress, long length) {
        enter();
        try {
            DirtyLog now = log;
            if (now != null) {
                now.mark(guestAddress, length);
            }
        } finally {
            leave();
        }
    }

    /// The regions that are mapped now, by guest address.
    public List<Region> regions() {
        return table.mapped().stream().map(MappedRegion::region).toList();
    }

    /// Holds the memory as it is: whoever touches it is inside. May be nested.
    public void enter() {
        quiescence.readLock().lock();
    }

    /// The end of [#enter], by the same thread.
    public void leave() {
        quiescence.readLock().unlock();
    }

    /// Unmaps everything, as soon as no queue is inside.
    @Override
    public void close() {
        swap(RegionTable.EMPTY, table.mapped());
    }

    private void swap(RegionTable next, List<MappedRegion> gone) {
        alone(() -> {
            table = next;
            gone.forEach(MappedRegion::unmap);
        });
    }

    private void alone(Runnable change) {
        if (quiescence.getReadHoldCount() > 0) {
            throw new IllegalStateException("would wait for itself: this thread is inside guest memory");
        }
        quiescence.writeLock().lock();
        try {
            change.run();
        } finally {
            quiescence.writeLock().unlock();
        }
    }

    private static void requireRoom(Region region, RegionTable beside) throws ErrnoException {
        String wrong = beside.whyNot(region);
        if (wrong != null) {
            throw new ErrnoException(wrong + ": " + region, Errno.EINVAL);
        }
    }

    private static void requireRoom(Region region, DirtyLog log) throws ErrnoException {
        if (log != null && !log.covers(region)) {
            throw new ErrnoException("the log of writes has no room for " + region, Errno.EINVAL);
        }
    }

    private MappedRegion map(Region region, Fd fd) throws ErrnoException {
        requireRoom(region, log);
        FileStatus file = sys.statx(fd, Stat.STATX_TYPE | Stat.STATX_INO | Stat.STATX_SIZE);
        boolean shrinks = mayShrink.test(file, region);
        if (!shrinks) {
            requireWithin(region, file);
        }
        long page = Math.max(sys.pageSize(), Integer.highestOneBit(file.blksize())); // hugetlbfs has huge ones
        long slack = region.fileOffset() & (page - 1); // mmap takes whole pages only
        long length = (slack + region.size() + page - 1) & -page;
        long offset = region.fileOffset() - slack;
        MemorySegment mapping = sys.mmap(fd, offset, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE);
        return (shrinks
                        ? MappedRegion.forTheKernel(region, mapping, slack, sys)
                        : MappedRegion.of(region, mapping, slack, sys))
                .of(file);
    }

    /// Refuses a file that ends inside the region: touching what is missing would be `SIGBUS`. A
    /// device has no size that could be compared; the kernel does it itself.
    private static void requireWithin(Region region, FileStatus file) throws ErrnoException {
        long end = region.fileOffset() + region.size();
        if (Stat.isRegular(file.mode()) && (end < 0 || end > file.size())) {
            throw new ErrnoException("its file has only " + file.size() + " bytes: " + region, Errno.EINVAL);
        }
    }
}
