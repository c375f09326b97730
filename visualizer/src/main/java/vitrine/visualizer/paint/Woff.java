package vitrine.visualizer.paint;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// The web's wrapping of a font taken off: the same tables, each deflated for itself (WOFF 1.0).
final class Woff {

    private static final int SIGNATURE = 0x774f4646; // "wOFF"
    private static final int WOFF_HEADER = 44;
    private static final int WOFF_ENTRY = 20;
    private static final int SFNT_HEADER = 12;
    private static final int SFNT_ENTRY = 16;

    private Woff() {}

    /// The font as an OpenType file.
    static byte[] unpack(byte[] woff) {
        ByteBuffer in = ByteBuffer.wrap(woff);
        if (in.getInt(0) != SIGNATURE) {
            throw new IllegalStateException("a bundled font is no WOFF file");
        }
        int tables = Short.toUnsignedInt(in.getShort(12));
        ByteBuffer out = ByteBuffer.allocate(in.getInt(16)); // totalSfntSize
        out.putInt(in.getInt(4)).putShort((short) tables); // flavor; the rest of the header helps searching only
        int end = SFNT_HEADER + SFNT_ENTRY * tables;
        for (int i = 0; i < tables; i++) {
            int entry = WOFF_HEADER + WOFF_ENTRY * i;
            byte[] table = inflate(woff, in.getInt(entry + 4), in.getInt(entry + 8), in.getInt(entry + 12));
            out.position(SFNT_HEADER + SFNT_ENTRY * i);
            out.putInt(in.getInt(entry)) // tag
                    .putInt(in.getInt(entry + 16)) // checksum
                    .putInt(end)
                    .putInt(table.length);
            out.put(end, table);
            end += table.length + (-table.length & 3);
        }
        return out.array();
    }

    private static byte[] inflate(byte[] woff, int offset, int length, int originalLength) {
        byte[] table = new byte[originalLength];
        if (length == originalLength) { // stored as it is
            System.arraycopy(woff, offset, table, 0, length);
            return table;
        }
        try (Inflater inflater = new Inflater()) {
            inflater.setInput(woff, offset, length);
            inflater.inflate(table);
            return table;
        } catch (DataFormatException e) {
            throw new IllegalStateException("a bundled font is damaged", e);
        }
    }

    /// The tables of an OpenType file by their names.
    static Map<String, ByteBuffer> tables(byte[] sfnt) {
        ByteBuffer in = ByteBuffer.wrap(sfnt);
        Map<String, ByteBuffer> tables = new HashMap<>();
        for (int i = 0; i < Short.toUnsignedInt(in.getShort(4)); i++) {
            int entry = SFNT_HEADER + SFNT_ENTRY * i;
            String tag = new String(sfnt, entry, 4, StandardCharsets.US_ASCII);
            tables.put(tag, in.slice(in.getInt(entry + 8), in.getInt(entry + 12)));
        }
        return tables;
    }
}
