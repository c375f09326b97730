package vitrine.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The few words in which a struct of a C header is written down beside its record.
///
/// All integers are little-endian: virtio and vhost-user say so, and FUSE, which says "as the guest
/// has it", is little-endian for every guest we serve. Nothing is aligned, because a driver may put
/// a struct at any address; padding that the C compiler sees is therefore spelled out as a field,
/// just as the kernel's headers spell it out.
public final class Layouts {

    /// A byte.
    public static final ValueLayout.OfByte U8 = JAVA_BYTE;

    /// Two bytes, little-endian, at any address.
    public static final ValueLayout.OfShort U16 = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Four bytes, little-endian, at any address.
    public static final ValueLayout.OfInt U32 = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Eight bytes, little-endian, at any address.
    public static final ValueLayout.OfLong U64 = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Layouts() {}

    /// The struct that a C header calls `cName`, its members in the order of the header.
    public static StructLayout struct(String cName, MemoryLayout... members) {
        return MemoryLayout.structLayout(members).withName(cName);
    }

    /// An unsigned byte, `uint8_t`.
    public static ValueLayout u8(String name) {
        return U8.withName(name);
    }

    /// An unsigned 16-bit number, `uint16_t`.
    public static ValueLayout u16(String name) {
        return U16.withName(name);
    }

    /// An unsigned 32-bit number, `uint32_t`.
    public static ValueLayout u32(String name) {
        return U32.withName(name);
    }

    /// A signed 32-bit number, `int32_t`. On the wire it looks like any other four bytes.
    public static ValueLayout s32(String name) {
        return U32.withName(name);
    }

    /// An unsigned 64-bit number, `uint64_t`.
    public static ValueLayout u64(String name) {
        return U64.withName(name);
    }

    /// `count` bytes, `uint8_t name[count]`.
    public static SequenceLayout bytes(String name, int count) {
        return array(name, count, U8);
    }

    /// An array of `count` elements.
    public static SequenceLayout array(String name, int count, MemoryLayout element) {
        return MemoryLayout.sequenceLayout(count, element).withName(name);
    }

    /// A struct within the struct, as the member `name`.
    public static StructLayout nested(String name, StructLayout struct) {
        return struct.withName(name);
    }
}
