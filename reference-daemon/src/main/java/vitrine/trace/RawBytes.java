package vitrine.trace;

import java.util.Arrays;
import java.util.HexFormat;

/// Bytes as a value: copied on the way in and out, equal when their content is.
///
/// A plain array in a record would be compared by identity, and an event that is read back from a
/// file would never equal the one that was written.
public final class RawBytes {

    /// No bytes.
    public static final RawBytes EMPTY = new RawBytes(new byte[0]);

    private final byte[] content;

    private RawBytes(byte[] content) {
        this.content = content;
    }

    /// The bytes that the array holds now.
    public static RawBytes of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new RawBytes(bytes.clone());
    }

    /// How many bytes.
    public int length() {
        return content.length;
    }

    /// A copy.
    public byte[] toArray() {
        return content.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RawBytes bytes && Arrays.equals(content, bytes.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    /// Two hexadecimal digits a byte, with blanks between.
    @Override
    public String toString() {
        return HexFormat.ofDelimiter(" ").formatHex(content);
    }
}
