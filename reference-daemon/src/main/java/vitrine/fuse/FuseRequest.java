package vitrine.fuse;

import vitrine.fuse.struct.InHeader;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireWriter;

/// A request of the FUSE protocol as one immutable value, the same for both ends.
///
/// The guest makes one and encodes it, the daemon decodes an equal one; dispatch, trace and tests
/// speak of that value. Its records are spread over families, a file each and in the order of their
/// opcodes; the class that answers a family carries the same word in its name.
///
/// A request is always framed rightly, whoever made it: each record sets length, opcode and length
/// of extensions in its header itself.
public sealed interface FuseRequest
        permits SessionRequest, InodeRequest, DirectoryRequest, FileRequest, XattrRequest, LockRequest, DaxRequest {

    /// Reads a request out of the two sides of a descriptor chain.
    ///
    /// Each word is read once, because the guest may change its memory meanwhile. The data of a
    /// WRITE and the room for a READ stay in `readable` and `writable`, and must not be used after
    /// the chain has been returned.
    ///
    /// @param dialect what INIT has agreed on
    /// @throws MalformedException for whatever the bytes are, if they are no request
    static FuseRequest decode(Buffers readable, Buffers writable, Dialect dialect) throws MalformedException {
        return RequestDecoder.decode(readable, writable, dialect);
    }

    /// Who asks, and about which inode.
    InHeader header();

    /// Writes all arguments: what is between the header and the data.
    void encodeArgs(WireWriter out);

    /// The data that follows the arguments, where it lies: none, but for WRITE.
    default Buffers data() {
        return Buffers.EMPTY;
    }

    /// Which request this is; null for [SessionRequest.Unknown].
    default Opcode opcode() {
        return Opcode.of(header().opcode());
    }

    /// The inode that the request is about; for requests with a name, the directory of the name.
    default long nodeid() {
        return header().nodeid();
    }

    /// The number that joins a request and its reply.
    default long unique() {
        return header().unique();
    }

    /// The whole readable side, as a guest's driver hands it to the device.
    default Encoded encode() {
        byte[] header = new byte[header().sizeInBytes()];
        header().encode(new WireWriter(Buffers.ofBytes(header)));
        byte[] args = new byte[Math.toIntExact(header().len() - header.length - data().size())];
        encodeArgs(new WireWriter(Buffers.ofBytes(args)));
        return new Encoded(header, args, data());
    }
}
