package vitrine.visualizer.anatomy;

import java.util.Locale;
import vitrine.fuse.Opcode;

/// A field in a message, where it lies, and what it holds.
///
/// @param struct the C struct, such as `fuse_in_header`; empty for a name or for data
/// @param field its name, such as `opcode`; of a struct in a struct with a point, as `attr.mode`
/// @param offset in bytes from the start of the message
/// @param bytes what is there; fewer than the field has if the message was cut
public record Member(String struct, String field, int offset, byte[] bytes) {

    private static final int LONGEST_NUMBER = Long.BYTES;

    /// Its value as an unsigned little-endian number; only of a field of up to eight bytes.
    public long number() {
        long value = 0;
        for (int i = Math.min(bytes.length, LONGEST_NUMBER) - 1; i >= 0; i--) {
            value = value << 8 | bytes[i] & 0xff;
        }
        return value;
    }

    /// Its value as a person reads it: a number, a name in quotes, or how many bytes.
    public String value() {
        if (struct.isEmpty() && field.endsWith("name")) {
            return name();
        }
        if (bytes.length > LONGEST_NUMBER || struct.isEmpty()) {
            return bytes.length + " bytes";
        }
        return switch (plainName()) {
            case "opcode" -> opcode();
            case "mode", "umask" -> "0" + Long.toOctalString(number());
            case "flags", "flags2", "open_flags", "write_flags", "read_flags", "valid", "fh" ->
                "0x" + Long.toHexString(number());
            default -> Long.toUnsignedString(number());
        };
    }

    private String opcode() {
        Opcode opcode = Opcode.of((int) number());
        return (int) number() + (opcode == null ? "" : " " + opcode);
    }

    private String plainName() {
        return field.substring(field.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    private String name() {
        StringBuilder text = new StringBuilder("\"");
        for (byte letter : bytes) {
            if (letter != 0) {
                text.append(letter >= ' ' && letter < 0x7f ? (char) letter : '?');
            }
        }
        return text.append('"').toString();
    }
}
