package vitrine.conformance.fuzz;

import java.util.Arrays;

/// Bytes, taken one after the other; when there are no more, zeroes.
final class Input {

    private final byte[] bytes;
    private int at;

    Input(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isEmpty() {
        return at >= bytes.length;
    }

    int u8() {
        return isEmpty() ? 0 : Byte.toUnsignedInt(bytes[at++]);
    }

    int u16() {
        return u8() | u8() << 8;
    }

    /// So many bytes, or what is left.
    byte[] bytes(int count) {
        int from = Math.min(at, bytes.length);
        at = Math.min(bytes.length, from + count);
        return Arrays.copyOfRange(bytes, from, at);
    }

    byte[] rest() {
        return bytes(bytes.length);
    }
}
