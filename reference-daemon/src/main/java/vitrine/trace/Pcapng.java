package vitrine.trace;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The blocks of a pcapng file that a capture consists of.
///
/// Each block: type, total length, body padded to 4 bytes, total length once more. We write little
/// endian whatever the host (pcapng draft: "General Block Structure").
final class Pcapng {

    static final int SECTION_HEADER = 0x0A0D_0D0A;
    static final int INTERFACE_DESCRIPTION = 1;
    static final int INTERFACE_STATISTICS = 5;
    static final int ENHANCED_PACKET = 6;

    /// Tells a reader which way round the numbers are.
    static final int BYTE_ORDER_MAGIC = 0x1A2B_3C4D;

    /// `LINKTYPE_USER0`: for whoever agrees on it; ours by the comment in the section header.
    static final int LINK_TYPE = 147;

    static final int OPTION_END = 0;
    static final int OPTION_COMMENT = 1;

    private static final int OPTION_SECTION_APPLICATION = 4;
    private static final int OPTION_INTERFACE_NAME = 2;
    private static final int OPTION_INTERFACE_RESOLUTION = 9;
    private static final int OPTION_STATISTICS_RECEIVED = 4;
    private static final int OPTION_STATISTICS_DROPPED = 5;

    private static final byte NANOSECONDS = 9; // ten to the power of minus nine

    private Pcapng() {}

    /// The first block of the file: what it is, and `about` as one comment each, `key=value`.
    static byte[] sectionHeader(String whatItIs, Map<String, String> about) {
        Body body = new Body().u32(BYTE_ORDER_MAGIC).u16(1).u16(0).u64(-1); // length: not told
        body.option(OPTION_COMMENT, utf8(whatItIs));
        body.option(OPTION_SECTION_APPLICATION, utf8("Vitrine"));
        about.forEach((key, value) -> body.option(OPTION_COMMENT, utf8(key + "=" + value)));
        return body.endOfOptions().block(SECTION_HEADER);
    }

    /// One interface for each actor, numbered as the actors are.
    static byte[] interfaceDescription(Actor actor) {
        return new Body()
                .u16(LINK_TYPE)
                .u16(0)
                .u32(0) // packets are never cut
                .option(OPTION_INTERFACE_NAME, utf8(actor.title()))
                .option(OPTION_INTERFACE_RESOLUTION, new byte[] {NANOSECONDS})
                .endOfOptions()
                .block(INTERFACE_DESCRIPTION);
    }

    static byte[] packet(Stamp at, byte[] payload) {
        return new Body()
                .u32(at.actor().ordinal())
                .time(at.nanos())
                .u32(payload.length)
                .u32(payload.length)
                .padded(payload)
                .block(ENHANCED_PACKET);
    }

    /// The last block of a capture that was closed: how many events are in it and how many are not.
    static byte[] statistics(long nanos, long kept, long dropped) {
        return new Body()
                .u32(0)
                .time(nanos)
                .option(OPTION_STATISTICS_RECEIVED, littleEndian(kept + dropped))
                .option(OPTION_STATISTICS_DROPPED, littleEndian(dropped))
                .endOfOptions()
                .block(INTERFACE_STATISTICS);
    }

    private static byte[] utf8(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0xFFFF) {
            throw new IllegalArgumentException("an option of " + bytes.length + " bytes; pcapng allows 65535");
        }
        return bytes;
    }

    private static byte[] littleEndian(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    /// The body of a block in the making.
    private static final class Body {

        private static final int FRAME = 12; // type, and the total length twice

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(160);

        Body u16(int value) {
            bytes.write(value);
            bytes.write(value >>> 8);
            return this;
        }

        Body u32(int value) {
            return u16(value).u16(value >>> 16);
        }

        Body u64(long value) {
            return u32((int) value).u32((int) (value >>> 32));
        }

        /// A time is two words, the *upper* one first, in either byte order.
        Body time(long nanos) {
            return u32((int) (nanos >>> 32)).u32((int) nanos);
        }

        Body option(int code, byte[] value) {
            return u16(code).u16(value.length).padded(value);
        }

        Body endOfOptions() {
            return u16(OPTION_END).u16(0);
        }

        Body padded(byte[] value) {
            bytes.writeBytes(value);
            bytes.writeBytes(new byte[-value.length & 3]);
            return this;
        }

        byte[] block(int type) {
            int length = bytes.size() + FRAME;
            return ByteBuffer.allocate(length)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(type)
                    .putInt(length)
                    .put(bytes.toByteArray())
                    .putInt(length)
                    .array();
        }
    }
}
