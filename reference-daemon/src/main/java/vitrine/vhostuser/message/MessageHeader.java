package vitrine.vhostuser.message;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// What every message begins with, in either direction (vhost-user: "Header").
///
/// @param request which message it is; a reply repeats the number of what it answers
/// @param flags version in the two lowest bits, then [#REPLY] and [#NEED_REPLY]
/// @param size bytes of payload that follow
public record MessageHeader(int request, int flags, int size) implements WireStruct {

    /// The two lowest bits of the flags: always 1 so far.
    public static final int VERSION = 1;

    /// Flag: this is an answer.
    public static final int REPLY = 1 << 2;

    /// Flag: the sender wants to know whether it worked. It counts only once
    /// [vitrine.vhostuser.Features#REPLY_ACK] is settled.
    public static final int NEED_REPLY = 1 << 3;

    /// The bytes as they stand on the wire.
    public static final StructLayout LAYOUT = struct("vhost_user_header", u32("request"), u32("flags"), u32("size"));

    /// Bytes of a header.
    public static final int BYTES = 12;

    private static final int VERSION_MASK = 3;

    /// Reads a header.
    ///
    /// @throws MalformedException if there are less than 12 bytes
    public static MessageHeader decode(WireReader in) throws MalformedException {
        return new MessageHeader(in.u32(), in.u32(), in.u32());
    }

    /// The header of an answer to this message.
    public MessageHeader reply(int replySize) {
        return new MessageHeader(request, VERSION | REPLY, replySize);
    }

    /// Whether the version is the one this project speaks.
    public boolean versionIsKnown() {
        return (flags & VERSION_MASK) == VERSION;
    }

    /// Whether this is an answer.
    public boolean isReply() {
        return (flags & REPLY) != 0;
    }

    /// Whether the sender asks for an acknowledgement.
    public boolean needsReply() {
        return (flags & NEED_REPLY) != 0;
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(request);
        out.u32(flags);
        out.u32(size);
    }
}
