package vitrine.wire;

import java.lang.foreign.MemorySegment;

/// Reads numbers, names and data one after the other, little-endian, at any address and across any
/// cut.
///
/// A driver may cut a request wherever it likes, even within a number (virtio 1.3, 2.7.4). Usually
/// it does not: a number that lies within one part is one load, and only a number that is cut is
/// put together byte by byte. Every method throws [MalformedException] instead of reading past the
/// end, and leaves the position where it was.
public final class WireReader {

    private final Buffers buffers;
    private int nextPart; // index of the part after `part`
    private MemorySegment part = MemorySegment.NULL;
    private long position; // within `part`
    private long partEnd;
    private long offset; // from the start of `buffers`
    private long remaining; // up to the end, or to the limit

    /// Starts at the first byte.
    public WireReader(Buffers buffers) {
        this.buffers = buffers;
        this.remaining = buffers.size();
    }

    /// An unsigned byte, 0 to 255.
    public int u8() throws MalformedException {
        need(1);
        return nextByte();
    }

    /// An unsigned 16-bit number, 0 to 65535.
    public int u16() throws MalformedException {
        need(2);
        if (partEnd - position >= 2) {
            int value = Short.toUnsignedInt(part.get(Layouts.U16, position));
            advance(2);
            return value;
        }
        return (int) byteByByte(2);
    }

    /// The 32 bits of a number, signed or unsigned as the reader takes it.
    public int u32() throws MalformedException {
        need(4);
        if (partEnd - position >= 4) {
            int value = part.get(Layouts.U32, position);
            advance(4);
            return value;
        }
        return (int) byteByByte(4);
    }

    /// An unsigned 32-bit number, 0 to 4294967295.
    public long u32AsLong() throws MalformedException {
        return Integer.toUnsignedLong(u32());
    }

    /// The 64 bits of a number.
    public long u64() throws MalformedException {
        need(8);
        if (partEnd - position >= 8) {
            long value = part.get(Layouts.U64, position);
            advance(8);
            return value;
        }
        return byteByByte(8);
    }

    /// A copy of the next `count` bytes. The array is made only if so many bytes are there.
    public byte[] bytes(int count) throws MalformedException {
        return take(count).toBytes();
    }

    /// A name up to its NUL, which is read too.
    public Name name() throws MalformedException {
        long most = Math.min(remaining, Name.LONGEST + 1L);
        long length = distanceToNul(most);
        if (length == most) {
            throw new MalformedException("no NUL ends the name at offset " + offset);
        }
        byte[] bytes = take(length).toBytes();
        skip(1); // the NUL
        return Name.ofOwn(bytes);
    }

    /// A name of `length` bytes that no NUL ends, as in a directory entry.
    public Name nameOfLength(long length) throws MalformedException {
        need(length);
        if (length > Name.LONGEST || distanceToNul(length) < length) {
            throw new MalformedException("NUL within the name at offset " + offset + ", or no end of it");
        }
        return Name.ofOwn(take(length).toBytes());
    }

    /// The next `count` bytes where they lie.
    public Buffers take(long count) throws MalformedException {
        need(count);
        Buffers taken = buffers.slice(offset, count);
        skip(count);
        return taken;
    }

    /// All bytes that remain, where they lie.
    public Buffers rest() throws MalformedException {
        return take(remaining);
    }

    /// Passes over `count` bytes, such as padding, without looking at them.
    public void skip(long count) throws MalformedException {
        need(count);
        long left = count;
        while (left > 0) {
            enterPart();
            long step = Math.min(left, partEnd - position);
            advance(step);
            left -= step;
        }
    }

    /// How many bytes there are up to the end.
    public long remaining() {
        return remaining;
    }

    /// Takes the end to be `count` bytes from here: what lies beyond belongs to somebody else.
    public void limit(long count) throws MalformedException {
        need(count);
        remaining = count;
    }

    private void need(long count) throws MalformedException {
        if (count > remaining || count < 0) {
            throw new MalformedException(Long.toUnsignedString(count) + " bytes wanted at offset " + offset + ", "
                    + remaining + " are there");
        }
    }

    private int nextByte() {
        enterPart();
        int value = Byte.toUnsignedInt(part.get(Layouts.U8, position));
        advance(1);
        return value;
    }

    private long byteByByte(int count) {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value |= (long) nextByte() << (8 * i);
        }
        return value;
    }

    /// Makes sure that the position is on a byte; the caller knows that one is left.
    private void enterPart() {
        if (position == partEnd) {
            part = buffers.parts().get(nextPart++);
            position = 0;
            partEnd = part.byteSize();
        }
    }

    private void advance(long count) {
        position += count;
        offset += count;
        remaining -= count;
    }

    /// How many bytes there are before the next NUL, or `most` if none is among so many.
    private long distanceToNul(long most) {
        long distance = 0;
        MemorySegment looked = part;
        long at = position;
        long end = partEnd;
        int next = nextPart;
        while (distance < most) {
            if (at == end) {
                looked = buffers.parts().get(next++);
                at = 0;
                end = looked.byteSize();
                continue;
            }
            if (looked.get(Layouts.U8, at) == 0) {
                return distance;
            }
            at++;
            distance++;
        }
        return most;
    }
}
