package vitrine.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;

/// A region and where we have it.
final class MappedRegion {

    final GuestMemory.Region region;

    /// The region's bytes, for all threads, until [#unmap].
    final MemorySegment bytes;

    private final Arena life = Arena.ofShared();

    /// @param mapping whole pages, `slack` bytes of which precede the region
    @SuppressWarnings("restricted") // gives the mapping a life that unmap() ends
    MappedRegion(GuestMemory.Region region, MemorySegment mapping, long slack, Syscalls sys) {
        this.region = region;
        MemorySegment guarded = mapping.reinterpret(life, _ -> {
            try {
                sys.munmap(mapping);
            } catch (ErrnoException e) {
                throw new IllegalStateException("a mapping of our own", e); // unmapped by somebody else?
            }
        });
        this.bytes = guarded.asSlice(slack, region.size());
    }

    GuestMemory.Region region() {
        return region;
    }

    /// Gives the addresses back. Whoever still holds a segment gets an exception instead of strange
    /// memory.
    void unmap() {
        life.close();
    }
}
