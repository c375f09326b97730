package vitrine.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import vitrine.posix.ErrnoException;
import vitrine.posix.FileStatus;
import vitrine.posix.Syscalls;

/// A region and where we have it.
final class MappedRegion {

    final GuestMemory.Region region;

    /// The region's bytes, until [#unmap]: for all threads, or for none, see [#forTheKernel].
    final MemorySegment bytes;

    private final Runnable end;
    private FileStatus file; // which file it is of

    private MappedRegion(GuestMemory.Region region, MemorySegment bytes, Runnable end) {
        this.region = region;
        this.bytes = bytes;
        this.end = end;
    }

    /// Says which file it is of.
    MappedRegion of(FileStatus mapped) {
        file = mapped;
        return this;
    }

    /// Whether it is the same memory: the same part of the same file at the same places.
    boolean is(GuestMemory.Region other, FileStatus otherFile) {
        return region.equals(other) && file.dev() == otherFile.dev() && file.ino() == otherFile.ino();
    }

    /// A region that everybody may read and write. Once it is unmapped, whoever still holds a
    /// segment of it gets an exception instead of strange memory.
    ///
    /// @param mapping whole pages, `slack` bytes of which precede the region
    static MappedRegion of(GuestMemory.Region region, MemorySegment mapping, long slack, Syscalls sys) {
        Arena life = Arena.ofShared();
        MemorySegment bytes = within(life, mapping, slack, region);
        return new MappedRegion(region, bytes, () -> {
            life.close();
            unmap(mapping, sys);
        });
    }

    /// A region whose addresses may be given to system calls, and nothing else: an access from Java
    /// is an [IllegalStateException], as if the memory were gone, so that none can be a `SIGBUS`.
    static MappedRegion forTheKernel(GuestMemory.Region region, MemorySegment mapping, long slack, Syscalls sys) {
        MemorySegment bytes;
        try (Arena over = Arena.ofShared()) {
            bytes = within(over, mapping, slack, region);
        }
        return new MappedRegion(region, bytes, () -> unmap(mapping, sys));
    }

    GuestMemory.Region region() {
        return region;
    }

    /// Gives the addresses back.
    void unmap() {
        end.run();
    }

    @SuppressWarnings("restricted") // the same bytes, with a life of their own
    private static MemorySegment within(Arena life, MemorySegment mapping, long slack, GuestMemory.Region region) {
        return mapping.reinterpret(life, null).asSlice(slack, region.size());
    }

    private static void unmap(MemorySegment mapping, Syscalls sys) {
        try {
            sys.munmap(mapping);
        } catch (ErrnoException e) {
            throw new IllegalStateException("a mapping of our own", e); // unmapped by somebody else?
        }
    }
}
