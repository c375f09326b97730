package vitrine.virtqueue;

import vitrine.memory.SharedMemory;

/// One entry of a descriptor table: a piece of guest memory, and where the chain goes on.
///
/// ```
/// offset  0            8        12      14      16
///         ├ addr ──────┼ len ───┼ flags ┼ next ─┤      written by the driver only
/// ```
///
/// A descriptor is copied out of guest memory *once*, before anything is decided about it. The
/// guest can change its memory at any time: whoever checks a field and then reads it again may
/// use a value that was never checked (virtio 1.3, 2.7.5).
///
/// @param address guest address of the first byte
/// @param length bytes, 0 to 2^32 - 1
/// @param flags [#NEXT], [#WRITE], [#INDIRECT]; other bits mean nothing
/// @param next the descriptor that follows, 0 to 65535; meaningless without [#NEXT]
public record Descriptor(long address, long length, int flags, int next) {

    /// The size of a descriptor in bytes.
    public static final int BYTES = 16;

    /// Flag: the chain goes on at `next`.
    public static final int NEXT = 1;

    /// Flag: the device writes here. Without it, the device reads.
    public static final int WRITE = 2;

    /// Flag: no data here, but a table with the rest of the chain.
    public static final int INDIRECT = 4;

    /// Copies entry `index` of a table, each field once.
    public static Descriptor read(SharedMemory table, int index) {
        return new Descriptor(
                table.load64(addressOffset(index)),
                Integer.toUnsignedLong(table.load32(lengthOffset(index))),
                Short.toUnsignedInt(table.load16(flagsOffset(index))),
                Short.toUnsignedInt(table.load16(nextOffset(index))));
    }

    /// Stores this descriptor as entry `index` of a table. Plain stores: the device must not look
    /// before an index that leads here was released.
    public void write(SharedMemory table, int index) {
        table.store64(addressOffset(index), address);
        table.store32(lengthOffset(index), (int) length);
        table.store16(flagsOffset(index), (short) flags);
        table.store16(nextOffset(index), (short) next);
    }

    /// Whether the chain goes on at [#next()].
    public boolean hasNext() {
        return (flags & NEXT) != 0;
    }

    /// Whether the device is to write here rather than to read.
    public boolean isWritable() {
        return (flags & WRITE) != 0;
    }

    /// Whether this is a table of descriptors rather than data.
    public boolean isIndirect() {
        return (flags & INDIRECT) != 0;
    }

    static long addressOffset(int index) {
        return (long) index * BYTES;
    }

    static long lengthOffset(int index) {
        return (long) index * BYTES + 8;
    }

    static long flagsOffset(int index) {
        return (long) index * BYTES + 12;
    }

    static long nextOffset(int index) {
        return (long) index * BYTES + 14;
    }
}
