package vitrine.wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Bytes that lie in one or more places, seen as one sequence, and never copied.
///
/// A request arrives in as many pieces as the driver likes (virtio 1.3, 2.7.4): a page of file data
/// is usually one of them. `Buffers` is how all of Vitrine hands such bytes on, from the
/// descriptors of a chain to the iovec of `pwritev2`. The parts are immutable; the bytes in them
/// are not, and when they are guest memory they may change at any time.
public final class Buffers {

    /// No bytes.
    public static final Buffers EMPTY = new Buffers(List.of(), 0);

    private static final int HASHED = 64; // bytes from the start that the hash code looks at

    private final List<MemorySegment> parts;
    private final long size;

    private Buffers(List<MemorySegment> parts, long size) {
        this.parts = parts;
        this.size = size;
    }

    /// The bytes of these parts, one after the other; parts without bytes are left out.
    public static Buffers of(MemorySegment... parts) {
        return of(List.of(parts));
    }

    /// The bytes of these parts, one after the other; parts without bytes are left out.
    public static Buffers of(List<MemorySegment> parts) {
        long size = 0;
        boolean holes = false;
        for (MemorySegment part : parts) {
            size = Math.addExact(size, part.byteSize());
            holes |= part.byteSize() == 0;
        }
        if (size == 0) {
            return EMPTY;
        }
        return new Buffers(holes ? withoutEmpty(parts) : List.copyOf(parts), size);
    }

    private static List<MemorySegment> withoutEmpty(List<MemorySegment> parts) {
        List<MemorySegment> kept = new ArrayList<>(parts.size());
        for (MemorySegment part : parts) {
            if (part.byteSize() > 0) {
                kept.add(part);
            }
        }
        return List.copyOf(kept);
    }

    /// This array, not a copy of it.
    public static Buffers ofBytes(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Buffers(List.of(MemorySegment.ofArray(bytes)), bytes.length);
    }

    /// The number of bytes in all parts together.
    public long size() {
        return size;
    }

    /// The parts in their order, none of them empty.
    public List<MemorySegment> parts() {
        return parts;
    }

    /// Whether the bytes can be touched: guest memory can be taken away, and some is for the kernel
    /// only.
    public boolean isAlive() {
        for (MemorySegment part : parts) {
            if (!part.scope().isAlive()) {
                return false;
            }
        }
        return true;
    }

    /// The `length` bytes from `offset` on, in the same places.
    ///
    /// @throws IndexOutOfBoundsException if there are not so many
    public Buffers slice(long offset, long length) {
        Objects.checkFromIndexSize(offset, length, size);
        if (length == size) {
            return this;
        }
        if (length == 0) {
            return EMPTY;
        }
        int first = 0;
        while (offset >= parts.get(first).byteSize()) {
            offset -= parts.get(first).byteSize();
            first++;
        }
        MemorySegment part = parts.get(first);
        if (offset + length <= part.byteSize()) {
            return new Buffers(List.of(part.asSlice(offset, length)), length);
        }
        return acrossParts(first, offset, length);
    }

    private Buffers acrossParts(int first, long offset, long length) {
        List<MemorySegment> sliced = new ArrayList<>(parts.size() - first);
        long wanted = length;
        for (int i = first; wanted > 0; i++) {
            MemorySegment part = parts.get(i);
            long taken = Math.min(wanted, part.byteSize() - offset);
            sliced.add(taken == part.byteSize() ? part : part.asSlice(offset, taken));
            wanted -= taken;
            offset = 0; // only the first part is entered in its middle
        }
        return new Buffers(List.copyOf(sliced), length);
    }

    /// All bytes from `offset` on.
    ///
    /// @throws IndexOutOfBoundsException if `offset` is beyond the end
    public Buffers from(long offset) {
        return slice(offset, size - offset);
    }

    /// These bytes and then those.
    public Buffers followedBy(Buffers next) {
        List<MemorySegment> all = new ArrayList<>(parts);
        all.addAll(next.parts);
        return of(all);
    }

    /// A copy of all bytes.
    ///
    /// @throws ArithmeticException if they do not fit into an array
    public byte[] toBytes() {
        byte[] bytes = new byte[Math.toIntExact(size)];
        int at = 0;
        for (MemorySegment part : parts) {
            MemorySegment.copy(part, Layouts.U8, 0, bytes, at, (int) part.byteSize());
            at += (int) part.byteSize();
        }
        return bytes;
    }

    /// Overwrites the bytes from `offset` on with `bytes`.
    ///
    /// @throws IndexOutOfBoundsException if there is not so much room
    public void copyFrom(byte[] bytes, long offset) {
        int at = 0;
        for (MemorySegment part : slice(offset, bytes.length).parts) {
            MemorySegment.copy(bytes, at, part, Layouts.U8, 0, (int) part.byteSize());
            at += (int) part.byteSize();
        }
    }

    /// Whether the bytes are the same now, wherever they lie and however they are cut.
    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Buffers that && size == that.size && sameBytes(that);
    }

    private boolean sameBytes(Buffers that) {
        int mine = 0;
        int theirs = 0;
        long mineAt = 0; // within the current part
        long theirsAt = 0;
        while (mine < parts.size()) {
            MemorySegment a = parts.get(mine);
            MemorySegment b = that.parts.get(theirs);
            long common = Math.min(a.byteSize() - mineAt, b.byteSize() - theirsAt);
            if (MemorySegment.mismatch(a, mineAt, mineAt + common, b, theirsAt, theirsAt + common) >= 0) {
                return false;
            }
            mineAt += common;
            theirsAt += common;
            if (mineAt == a.byteSize()) {
                mine++;
                mineAt = 0;
            }
            if (theirsAt == b.byteSize()) {
                theirs++;
                theirsAt = 0;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = Long.hashCode(size);
        for (MemorySegment part : slice(0, Math.min(size, HASHED)).parts) {
            for (long i = 0; i < part.byteSize(); i++) {
                hash = 31 * hash + part.get(Layouts.U8, i);
            }
        }
        return hash;
    }

    /// For example `4096 bytes in 2 parts`: the data itself would drown a trace.
    @Override
    public String toString() {
        return size + (size == 1 ? " byte" : " bytes") + (parts.size() > 1 ? " in " + parts.size() + " parts" : "");
    }
}
