package vitrine.guest.hostile;

import vitrine.fuse.struct.OutHeader;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// A chain that the device has given back.
///
/// @param head its first descriptor
/// @param written how many bytes the device says it has written
/// @param reply what lies in the memory for replies, as many bytes as were written, if it has so
///     many
public record Returned(long head, long written, byte[] reply) {

    private static final long OUT_HEADER = OutHeader.LAYOUT.byteSize();

    /// Whether it came back with no reply at all.
    public boolean isEmpty() {
        return written == 0;
    }

    /// The errno of the reply, 0 for a success.
    ///
    /// @throws IllegalStateException if there is no reply, or the reply contradicts itself
    public int errno() {
        return -header().error();
    }

    /// The header of the reply.
    ///
    /// @throws IllegalStateException if there is none, or its length is not what was written
    public OutHeader header() {
        try {
            OutHeader header = OutHeader.decode(new WireReader(Buffers.ofBytes(reply)));
            if (Integer.toUnsignedLong(header.len()) != written) {
                throw new IllegalStateException(written + " bytes written, but the reply says " + header);
            }
            return header;
        } catch (MalformedException e) {
            throw new IllegalStateException("no reply in " + written + " bytes", e);
        }
    }

    /// What follows the header.
    public WireReader payload() {
        return new WireReader(Buffers.ofBytes(reply).from(OUT_HEADER));
    }

    @Override
    public String toString() {
        return "head " + head + ", " + written + " bytes" + (reply.length >= OUT_HEADER ? ", " + header() : "");
    }
}
