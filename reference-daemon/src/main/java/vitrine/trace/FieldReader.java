package vitrine.trace;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads what [FieldWriter] wrote, and says what is wrong where it finds something else.
final class FieldReader {

    private final ByteBuffer in;

    FieldReader(byte[] event) {
        this.in = ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Reads one element of a list.
    interface ElementReader<T> {
        T read(FieldReader in) throws BrokenCaptureException;
    }

    int tag() throws BrokenCaptureException {
        return u8();
    }

    long integer() throws BrokenCaptureException {
        expect(FieldWriter.INTEGER, "an integer");
        try {
            return in.getLong();
        } catch (BufferUnderflowException _) {
            throw cutShort();
        }
    }

    int int32() throws BrokenCaptureException {
        long value = integer();
        if (value != (int) value) {
            throw new BrokenCaptureException("an event holds " + value + " where 32 bits are expected");
        }
        return (int) value;
    }

    boolean bool() throws BrokenCaptureException {
        return integer() != 0;
    }

    String text() throws BrokenCaptureException {
        expect(FieldWriter.TEXT, "text");
        return new String(lengthAndBytes(), StandardCharsets.UTF_8);
    }

    RawBytes bytes() throws BrokenCaptureException {
        expect(FieldWriter.BYTES, "bytes");
        return RawBytes.of(lengthAndBytes());
    }

    <E extends Enum<E>> E name(Class<E> type) throws BrokenCaptureException {
        String name = text();
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        throw new BrokenCaptureException("an event names an unknown " + type.getSimpleName() + ": " + name);
    }

    <T> List<T> list(int fieldsEach, ElementReader<T> elements) throws BrokenCaptureException {
        expect(FieldWriter.LIST, "a list");
        int fields = length();
        if (fields % fieldsEach != 0) {
            throw new BrokenCaptureException("a list of " + fields + " fields where each element has " + fieldsEach);
        }
        List<T> list = new ArrayList<>();
        for (int i = 0; i < fields / fieldsEach; i++) {
            list.add(elements.read(this));
        }
        return list;
    }

    void end() throws BrokenCaptureException {
        if (in.hasRemaining()) {
            throw new BrokenCaptureException("an event has " + in.remaining() + " bytes too many");
        }
    }

    private void expect(int kind, String what) throws BrokenCaptureException {
        int found = u8();
        if (found != kind) {
            throw new BrokenCaptureException(
                    "an event holds a field of kind " + found + " where " + what + " is expected");
        }
    }

    private int u8() throws BrokenCaptureException {
        if (!in.hasRemaining()) {
            throw cutShort();
        }
        return Byte.toUnsignedInt(in.get());
    }

    private byte[] lengthAndBytes() throws BrokenCaptureException {
        int length = length();
        if (length > in.remaining()) {
            throw cutShort();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    /// A length or a count: never negative, never more than there are bytes left.
    private int length() throws BrokenCaptureException {
        if (in.remaining() < Integer.BYTES) {
            throw cutShort();
        }
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw cutShort();
        }
        return length;
    }

    private static BrokenCaptureException cutShort() {
        return new BrokenCaptureException("an event ends before its fields do");
    }
}
