package vitrine.conformance.fuzz;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import vitrine.fuse.Opcode;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.session.FuseSession;
import vitrine.virtqueue.DescriptorChain;
import vitrine.wire.Buffers;

/// A session with a share, and requests one after the other.
///
/// Each begins with three bytes: how it lies in memory and how much room there is for the reply,
/// and how long it is. The share is the same for each input, and nodeids and handles are counted
/// from their first again.
final class RequestTarget implements FuzzTarget {

    private static final Syscalls SYS = new Syscalls(Libc.load());
    private static final PassthroughOptions OPTIONS = PassthroughOptions.DEFAULT.with(
            Feature.XATTR, Feature.POSIX_LOCKS, Feature.FLOCKS, Feature.WRITEBACK, Feature.READDIRPLUS);
    private static final byte[] INIT = new SessionRequest.Init(InHeader.of(2, 0, 0, 0, 0), new InitIn(7, 45, 0, -1, -1))
            .encode()
            .all()
            .toBytes();

    private static final int[] ROOMS = {4096, 0, 15, 16, 120, 160, 300, 60_000};
    private static final int HONEST_LENGTH = 0x80; // of the first byte
    private static final int LONGEST = 1 << 16;
    private static final int IN_HEADER = 40;
    private static final int OUT_HEADER = 16;
    private static final byte UNTOUCHED = (byte) 0xA5;

    private final FuzzShare share = new FuzzShare();
    private final MemorySegment request = Arena.global().allocate(LONGEST, 8);
    private final MemorySegment reply = Arena.global().allocate(LONGEST, 8);

    RequestTarget() throws Exception {}

    @Override
    public void take(byte[] input) throws Exception {
        Input in = new Input(input);
        PassthroughFs fileSystem = new PassthroughFs(SYS, share.path().toString(), OPTIONS);
        try {
            FuseSession session = new FuseSession(fileSystem);
            ask(session, INIT, 0);
            while (!in.isEmpty()) {
                int shape = in.u8();
                byte[] bytes = in.bytes(in.u16());
                if ((shape & HONEST_LENGTH) != 0 && bytes.length >= IN_HEADER) {
                    little(bytes).putInt(0, bytes.length);
                }
                ask(session, bytes, shape);
            }
            session.reset();
        } finally {
            fileSystem.close();
        }
        share.verifyAndRestore();
    }

    private void ask(FuseSession session, byte[] bytes, int shape) {
        int room = ROOMS[shape & 7];
        MemorySegment.copy(bytes, 0, request, JAVA_BYTE, 0, bytes.length);
        reply.asSlice(0, Math.min(LONGEST, room + 64)).fill(UNTOUCHED);

        long written = session.serve(new DescriptorChain(
                0,
                cut(request.asSlice(0, bytes.length), shape >> 3 & 3),
                cut(reply.asSlice(0, room), shape >> 5 & 3),
                2));

        verify(bytes, room, written);
        share.mayHaveChanged(
                bytes.length < IN_HEADER ? null : Opcode.of(little(bytes).getInt(4)), errno(written));
    }

    /// In one piece, cut behind the header, cut in odd places, or into single bytes at its start.
    private static Buffers cut(MemorySegment whole, int how) {
        long[] sizes = switch (how) {
            case 0 -> new long[] {};
            case 1 -> new long[] {OUT_HEADER, IN_HEADER - OUT_HEADER};
            case 2 -> new long[] {3, 10, 30, 7, 50};
            default -> new long[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        };
        List<MemorySegment> parts = new ArrayList<>();
        long at = 0;
        for (long size : sizes) {
            long length = Math.min(size, whole.byteSize() - at);
            parts.add(whole.asSlice(at, length));
            at += length;
        }
        parts.add(whole.asSlice(at));
        return Buffers.of(parts);
    }

    private void verify(byte[] bytes, int room, long written) {
        require(written >= 0 && written <= room, written + " bytes written into " + room);
        if (written == 0) {
            return;
        }
        ByteBuffer header = little(reply.asSlice(0, OUT_HEADER).toArray(JAVA_BYTE));
        require(header.getInt(0) == written, "a reply that says " + header.getInt(0) + " of " + written + " bytes");
        require(header.getLong(8) == little(bytes).getLong(8), "the answer to another request");
        int error = header.getInt(4);
        require(error <= 0 && error > -512, "error " + error);
        require(error == 0 || written == OUT_HEADER, "an error and more");
        require(error != 0 || isUntouched(written, room + 64), "more than was written has changed");
    }

    private boolean isUntouched(long from, long to) {
        for (long at = from; at < Math.min(LONGEST, to); at++) {
            if (reply.get(JAVA_BYTE, at) != UNTOUCHED) {
                return false;
            }
        }
        return true;
    }

    private int errno(long written) {
        return written < OUT_HEADER
                ? 0
                : -little(reply.asSlice(0, OUT_HEADER).toArray(JAVA_BYTE)).getInt(4);
    }

    private static void require(boolean so, String what) {
        if (!so) {
            throw new AssertionError(what);
        }
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
