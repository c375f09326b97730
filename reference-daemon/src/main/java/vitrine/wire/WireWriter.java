package vitrine.wire;

import java.lang.foreign.MemorySegment;

/// Writes numbers, names and data one after the other, little-endian, at any address and across any
/// cut.
///
/// The counterpart of [WireReader]. Whoever writes knows how much room there is, so writing past
/// the end is a fault of ours and no matter of the guest's: an [IndexOutOfBoundsException].
public final class WireWriter {

    private final Buffers buffers;
    private int nextPart; // index of the part after `part`
    private MemorySegment part = MemorySegment.NULL;
    private long position; // within `part`
    private long partEnd;
    private long written;

    /// Starts at the first byte.
    public WireWriter(Buffers buffers) {
        this.buffers = buffers;
    }

    /// One byte, the low eight bits of `value`.
    public void u8(int value) {
        need(1);
        nextByte(value);
    }

    /// Two bytes, the low sixteen bits of `value`.
    public void u16(int value) {
        need(2);
        if (partEnd - position >= 2) {
            part.set(Layouts.U16, position, (short) value);
            advance(2);
        } else {
            byteByByte(value, 2);
        }
    }

    /// Four bytes.
    public void u32(int value) {
        need(4);
        if (partEnd - position >= 4) {
            part.set(Layouts.U32, position, value);
            advance(4);
        } else {
            byteByByte(value, 4);
        }
    }

    /// Eight bytes.
    public void u64(long value) {
        need(8);
        if (partEnd - position >= 8) {
            part.set(Layouts.U64, position, value);
            advance(8);
        } else {
            byteByByte(value, 8);
        }
    }

    /// All of these bytes.
    public void bytes(byte[] bytes) {
        need(bytes.length);
        int at = 0;
        while (at < bytes.length) {
            enterPart();
            int step = (int) Math.min(bytes.length - at, partEnd - position);
            MemorySegment.copy(bytes, at, part, Layouts.U8, position, step);
            advance(step);
            at += step;
        }
    }

    /// The bytes of the name, without NUL, as in a directory entry.
    public void bytes(Name name) {
        bytes(name.shared());
    }

    /// The bytes of the name, and NUL.
    public void name(Name name) {
        need(name.length() + 1L);
        bytes(name.shared());
        nextByte(0);
    }

    /// `count` bytes of zero: padding, which must not carry what lay there before.
    public void zeros(long count) {
        need(count);
        long left = count;
        while (left > 0) {
            enterPart();
            long step = Math.min(left, partEnd - position);
            part.asSlice(position, step).fill((byte) 0);
            advance(step);
            left -= step;
        }
    }

    /// A copy of all of these bytes.
    public void buffers(Buffers source) {
        need(source.size());
        for (MemorySegment from : source.parts()) {
            long at = 0;
            while (at < from.byteSize()) {
                enterPart();
                long step = Math.min(from.byteSize() - at, partEnd - position);
                MemorySegment.copy(from, at, part, position, step);
                advance(step);
                at += step;
            }
        }
    }

    /// How many bytes were written.
    public long written() {
        return written;
    }

    /// For how many more bytes there is room.
    public long remaining() {
        return buffers.size() - written;
    }

    private void need(long count) {
        if (count > remaining() || count < 0) {
            throw new IndexOutOfBoundsException(count + " bytes do not fit at offset " + written + " of " + buffers);
        }
    }

    private void nextByte(int value) {
        enterPart();
        part.set(Layouts.U8, position, (byte) value);
        advance(1);
    }

    private void byteByByte(long value, int count) {
        for (int i = 0; i < count; i++) {
            nextByte((int) (value >>> (8 * i)));
        }
    }

    /// Makes sure that the position is on a byte; the caller knows that there is room for one.
    private void enterPart() {
        if (position == partEnd) {
            part = buffers.parts().get(nextPart++);
            position = 0;
            partEnd = part.byteSize();
        }
    }

    private void advance(long count) {
        position += count;
        written += count;
    }
}
