package vitrine.trace;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

/// Writes the fields of an event, each with a byte before it that tells its kind.
final class FieldWriter {

    /// Kinds of fields; see the package comment.
    static final int INTEGER = 1;

    static final int TEXT = 2;
    static final int BYTES = 3;
    static final int LIST = 4;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(128);

    /// The first byte of an event.
    FieldWriter(int tag) {
        out.write(tag);
    }

    FieldWriter integer(long value) {
        out.write(INTEGER);
        littleEndian(value, Long.BYTES);
        return this;
    }

    FieldWriter text(String value) {
        out.write(TEXT);
        return lengthAndBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    FieldWriter bytes(RawBytes value) {
        out.write(BYTES);
        return lengthAndBytes(value.toArray());
    }

    /// The names of enum constants are written, not their numbers: a reader needs no table.
    FieldWriter name(Enum<?> value) {
        return text(value.name());
    }

    /// A list tells how many *fields* follow, so that a reader can skip it without knowing what an
    /// element is.
    <T> FieldWriter list(List<T> elements, int fieldsEach, BiConsumer<FieldWriter, T> writeElement) {
        out.write(LIST);
        littleEndian((long) elements.size() * fieldsEach, Integer.BYTES);
        elements.forEach(element -> writeElement.accept(this, element));
        return this;
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    private FieldWriter lengthAndBytes(byte[] bytes) {
        littleEndian(bytes.length, Integer.BYTES);
        out.writeBytes(bytes);
        return this;
    }

    private void littleEndian(long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (value >>> (8 * i)));
        }
    }
}
