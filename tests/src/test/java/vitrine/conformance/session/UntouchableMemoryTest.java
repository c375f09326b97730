package vitrine.conformance.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.OutHeader;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.posix.Errno;
import vitrine.session.FuseSession;
import vitrine.virtqueue.DescriptorChain;
import vitrine.wire.Buffers;
import vitrine.wire.WireReader;

/// Requests that lie, in part, where only the kernel may touch guest memory: in the DAX window.
class UntouchableMemoryTest {

    private static final InHeader HEADER = InHeader.of(42, 1, 0, 0, 0);
    private static final int ROOM = 64;

    private final AtomicReference<FuseRequest> served = new AtomicReference<>();
    private final FuseSession session = new FuseSession(request -> {
        served.set(request);
        return request instanceof SessionRequest.Init
                ? new Reply.Struct(new InitOut(7, 38, 0, 0, 0, 0, 4096, 1, 0, 0, 0, 0, 0))
                : new Reply.Struct(new WriteOut(5));
    });

    UntouchableMemoryTest() {
        FuseRequest init = new SessionRequest.Init(HEADER, new InitIn(7, 38, 0, 0, 0));
        session.serve(new DescriptorChain(0, init.encode().all(), Buffers.ofBytes(new byte[128]), 2));
    }

    @SuppressWarnings("restricted") // gives the memory a life that is over
    private static Buffers untouchable(int size) {
        try (Arena over = Arena.ofShared()) {
            return Buffers.of(Arena.ofAuto().allocate(size).reinterpret(over, null));
        }
    }

    private static Buffers header() {
        return write().encode().all().slice(0, InHeader.LAYOUT.byteSize());
    }

    private static FileRequest.Write write() {
        return new FileRequest.Write(HEADER, new WriteIn(1, 0, 5, 0, 0, 0), Buffers.ofBytes(new byte[5]));
    }

    private long serve(Buffers readable, Buffers writable) {
        served.set(null);
        return session.serve(new DescriptorChain(0, readable, writable, 2));
    }

    /// write(2) out of a mapped page of a DAX file: such data goes to the system call unseen.
    @Test
    void theDataOfARequestMayLieThere() throws Exception {
        Buffers words = write().encode().all();
        Buffers data = untouchable(5);
        MemorySegment room = Arena.ofAuto().allocate(ROOM);

        serve(words.slice(0, words.size() - 5).followedBy(data), Buffers.of(room));

        assertEquals(data.parts(), ((FileRequest.Write) served.get()).data().parts());
        assertEquals(0, OutHeader.decode(new WireReader(Buffers.of(room))).error());
    }

    /// The arguments of a request are words that Java reads: EINVAL, and no mistake of ours.
    ///
    /// Seen to catch: FuseSession.mistake without its first lines.
    @Test
    void argumentsMayNot() throws Exception {
        MemorySegment room = Arena.ofAuto().allocate(ROOM);
        Buffers words = write().encode().all();

        serve(header().followedBy(untouchable((int) words.size() - 40)), Buffers.of(room));

        assertEquals(
                -Errno.EINVAL,
                OutHeader.decode(new WireReader(Buffers.of(room))).error());
    }

    /// Nobody can be answered then; the chain goes back empty.
    ///
    /// Seen to catch: `header` and `writeError` that do not look whether the bytes can be touched.
    @Test
    void headersMayNotAndNobodyIsAnswered() {
        assertEquals(0, serve(untouchable(85), Buffers.ofBytes(new byte[ROOM])));
        assertEquals(0, serve(write().encode().all(), untouchable(ROOM)));
        assertEquals(0, serve(header(), untouchable(ROOM)), "and no request at all");
    }
}
