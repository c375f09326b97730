package vitrine.fuse;

import vitrine.fuse.struct.InHeader;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireReader;

/// A request half decoded: its header is read and checked, and `body` stands behind it.
///
/// Here live the questions that every record asks while it is decoded: where the last name ends,
/// where the extensions are, how much room the guest has left for data.
final class Incoming {

    private static final int IN_HEADER_SIZE = 40;
    private static final int OUT_HEADER_SIZE = 16;

    /// How many elements a list in a request may have. Linux sends 256 at most (fuse.h:
    /// FUSE_REMOVEMAPPING_MAX_ENTRY); without a limit a guest could have us fill our memory with
    /// them.
    static final int LONGEST_LIST = 65536;

    private static final int LARGEST_EXTENSIONS = 65535 * 8; // what total_extlen can say

    private final InHeader header;
    private final WireReader body; // ends before the extensions
    private final Buffers extensions;
    private final Buffers writable;
    private final Dialect dialect;

    private Incoming(InHeader header, WireReader body, Buffers extensions, Buffers writable, Dialect dialect) {
        this.header = header;
        this.body = body;
        this.extensions = extensions;
        this.writable = writable;
        this.dialect = dialect;
    }

    /// Reads the header and finds out where the body ends.
    ///
    /// The guest's `len` decides, not the buffers it lies in: what is behind it is no part of the
    /// request.
    static Incoming of(Buffers readable, Buffers writable, Dialect dialect) throws MalformedException {
        WireReader in = new WireReader(readable);
        InHeader header = InHeader.decode(in);
        long bodySize = Integer.toUnsignedLong(header.len()) - IN_HEADER_SIZE;
        if (bodySize < 0 || bodySize > in.remaining()) {
            throw new MalformedException("the header says " + Integer.toUnsignedString(header.len())
                    + " bytes, the readable side has " + readable.size());
        }
        long extensionsSize = header.totalExtlen() * 8L;
        if (extensionsSize > bodySize) {
            throw new MalformedException(extensionsSize + " bytes of extensions announced in a body of " + bodySize);
        }
        in.limit(bodySize - extensionsSize);
        Buffers extensions = extensionsSize == 0
                ? Buffers.EMPTY
                : readable.slice(IN_HEADER_SIZE + bodySize - extensionsSize, extensionsSize);
        return new Incoming(header, in, extensions, writable, dialect);
    }

    InHeader header() {
        return header;
    }

    WireReader body() {
        return body;
    }

    Dialect dialect() {
        return dialect;
    }

    /// Whether the writable side takes a reply of the header and so many bytes of structs.
    boolean hasRoomForReply(int structs) {
        return writable.size() >= OUT_HEADER_SIZE + structs;
    }

    /// The last argument, when it is a name.
    Name lastName() throws MalformedException {
        Name name = body.name();
        end();
        return name;
    }

    /// What is left of the body, which the guest has announced to be of this size.
    Buffers data(int announced) throws MalformedException {
        long size = Integer.toUnsignedLong(announced);
        if (body.remaining() != size) {
            throw new MalformedException(size + " bytes of data announced, " + body.remaining() + " are there");
        }
        return body.rest();
    }

    /// How many elements are left of the body, which the guest has announced to be so many.
    int elements(int announced, int elementSize) throws MalformedException {
        long count = Integer.toUnsignedLong(announced);
        if (count > LONGEST_LIST || count * elementSize != body.remaining()) {
            throw new MalformedException(count + " elements of " + elementSize + " bytes announced, " + body.remaining()
                    + " bytes are there");
        }
        return (int) count;
    }

    /// What follows the last argument of a request that creates something.
    Extensions extensions() throws MalformedException {
        if (extensions.size() > 0) {
            end();
            return Extensions.decode(new WireReader(extensions));
        }
        if (body.remaining() > 0 && dialect.hasUncountedContexts()) {
            if (body.remaining() > LARGEST_EXTENSIONS) {
                throw new MalformedException(body.remaining() + " bytes of security contexts");
            }
            return Extensions.decode(body);
        }
        end();
        return Extensions.NONE;
    }

    /// The body as it is, extensions included.
    Buffers wholeBody() throws MalformedException {
        return body.rest().followedBy(extensions);
    }

    /// Nothing may follow: whoever sends more than the struct means something that we do not
    /// understand.
    void end() throws MalformedException {
        if (body.remaining() > 0) {
            throw new MalformedException(body.remaining() + " bytes too many after the last argument");
        }
    }

    /// Where `size` bytes of data can be put behind the reply's header; fewer if the guest has less
    /// room.
    Buffers room(int size) {
        return room(0, Integer.toUnsignedLong(size));
    }

    /// All the room behind the reply's header.
    Buffers allRoom() {
        return room(0, writable.size());
    }

    /// The same as the first, with a struct of `structSize` bytes between the header and the data.
    Buffers room(int structSize, long size) {
        long before = OUT_HEADER_SIZE + structSize;
        long there = Math.max(0, writable.size() - before);
        return there == 0 ? Buffers.EMPTY : writable.slice(before, Math.min(there, size));
    }
}
