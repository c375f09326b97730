package vitrine.conformance.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import vitrine.conformance.wire.AnyRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.OutHeader;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.session.FuseSession;
import vitrine.virtqueue.DescriptorChain;
import vitrine.wire.Buffers;
import vitrine.wire.Name;
import vitrine.wire.WireReader;

/// What becomes of a file system's answer, and of what goes wrong, in the bytes of the reply.
class FuseSessionTest {

    private static final int HEADER = 16;
    private static final byte UNTOUCHED = 0x5a;
    private static final InHeader ROOT = InHeader.of(42, 1, 0, 0, 0);
    private static final FuseRequest GETATTR = new InodeRequest.Getattr(ROOT, new GetattrIn(0, 0));
    private static final FuseRequest INIT = new SessionRequest.Init(ROOT, new InitIn(7, 38, 0, -1, -1));

    private byte[] reply;

    /// A session that has begun, over a file system that answers everything with this.
    private static FuseSession session(Reply answer) {
        FuseSession session = new FuseSession(request -> request instanceof SessionRequest.Init ? agree(0) : answer);
        serve(session, INIT, new byte[HEADER + 64]);
        return session;
    }

    private static Reply agree(long flags) {
        return new Reply.Struct(new InitOut(7, 38, 0, (int) flags, 0, 0, 4096, 1, 0, 0, (int) (flags >>> 32), 0, 0));
    }

    private static long serve(FuseSession session, FuseRequest request, byte[] reply) {
        return session.serve(new DescriptorChain(0, request.encode().all(), Buffers.ofBytes(reply), 2));
    }

    /// Serves a request with so much room for the reply, which is in `reply` then.
    private long serve(FuseSession session, FuseRequest request, int room) {
        reply = new byte[room];
        Arrays.fill(reply, UNTOUCHED);
        return serve(session, request, reply);
    }

    private OutHeader header() throws Exception {
        return OutHeader.decode(new WireReader(Buffers.ofBytes(reply)));
    }

    private void verifyUntouchedFrom(int offset) {
        for (int i = offset; i < reply.length; i++) {
            assertEquals(UNTOUCHED, reply[i], "byte " + i);
        }
    }

    /// fuse.h: struct fuse_out_header. The number of the request comes back, the errno is negative, and
    /// nothing follows an error.
    ///
    /// Caught: `-errno` without its minus; `unique` cut to 32 bits.
    @Property(tries = 200)
    void theHostsNoIsTheErrnoInTheReply(@ForAll Random random, @ForAll @IntRange(min = 1, max = 133) int errno)
            throws Exception {
        FuseRequest request = AnyRequest.of(InodeRequest.Lookup.class, random);
        FuseSession session = new FuseSession(asked -> {
            if (asked instanceof SessionRequest.Init) {
                return agree(0);
            }
            throw new ErrnoException("test", errno);
        });
        serve(session, INIT, HEADER + 64);

        long written = serve(session, request, 400);

        assertEquals(HEADER, written);
        assertEquals(new OutHeader(HEADER, -errno, request.unique()), header());
        verifyUntouchedFrom(HEADER);
    }

    static Stream<Reply> replies() {
        return Stream.of(
                Reply.EMPTY,
                new Reply.Struct(new WriteOut(77)),
                new Reply.Structs(new WriteOut(77), new OpenOut(5, 6)),
                new Reply.Bytes(Buffers.ofBytes(new byte[] {1, 2, 3})),
                new Reply.Filled(50));
    }

    /// The length in the header, and what is told to the ring, is what is there.
    ///
    /// Caught: the header's length without the header; `value.encode` left out.
    @ParameterizedTest
    @MethodSource("replies")
    void aReplyIsAsLongAsItSays(Reply answer) throws Exception {
        long written = serve(session(answer), GETATTR, 200);

        assertEquals(HEADER + answer.size(), written);
        assertEquals(new OutHeader((int) written, 0, 42), header());
        verifyUntouchedFrom(answer instanceof Reply.Filled ? HEADER : (int) written);
    }

    /// Half a struct would be read as a whole one, so nothing is cut.
    ///
    /// Caught: `OUT_HEADER + value.size() > writable.size()` with `>=`, and left out.
    @ParameterizedTest
    @MethodSource("replies")
    void aReplyThatHasNoRoomIsAnError(Reply answer) throws Exception {
        FuseSession session = session(answer);
        for (int room = HEADER; room < HEADER + answer.size(); room++) {
            assertEquals(HEADER, serve(session, GETATTR, room));
            assertEquals(new OutHeader(HEADER, -Errno.EINVAL, 42), header());
            verifyUntouchedFrom(HEADER);
        }
        assertEquals(HEADER + answer.size(), serve(session, GETATTR, HEADER + (int) answer.size()));
    }

    /// FORGET and its like are not answered, not even when there is room.
    @Test
    void noReplyIsNoByte() {
        assertEquals(0, serve(session(Reply.NONE), GETATTR, 200));
        verifyUntouchedFrom(0);
    }

    /// A mistake of ours must not cost the guest its file system. Tests want to see it.
    ///
    /// Caught: `catch (RuntimeException e)` removed from `FuseSession.serve`.
    @Test
    void aMistakeOfOursIsAnInputOutputError() throws Exception {
        Process unwatched = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        MistakenFileSystem.class.getName())
                .redirectError(ProcessBuilder.Redirect.PIPE)
                .start();
        String said = new String(unwatched.getErrorStream().readAllBytes());

        assertEquals(Errno.EIO, unwatched.waitFor(), said);
        assertTrue(said.contains(MistakenFileSystem.MISTAKE) && said.contains("\tat "), said);
        if (Boolean.getBoolean("vitrine.rethrow")) {
            assertThrows(IllegalStateException.class, () -> MistakenFileSystem.serve());
        }
    }

    /// fuse.h: FUSE_SETXATTR_EXT. What INIT agrees on decides how later requests are read, and ends
    /// with DESTROY.
    ///
    /// Caught: `Dialect.BEFORE_INIT` used always; `agreed = null` removed from DESTROY.
    @Test
    void whatInitAgreesOnDecidesHowRequestsAreRead() {
        List<FuseRequest> seen = new ArrayList<>();
        FuseSession session = new FuseSession(request -> {
            seen.add(request);
            return request instanceof SessionRequest.Init ? agree(InitFlag.SETXATTR_EXT.bit()) : Reply.EMPTY;
        });
        FuseRequest extended = new XattrRequest.Setxattr(
                ROOT, new SetxattrIn(1, 0, true, 1), Name.of("user.x"), Buffers.ofBytes(new byte[1]));
        SessionRequest.Destroy destroy = new SessionRequest.Destroy(ROOT);

        serve(session, INIT, 200);
        serve(session, extended, 200);
        serve(session, destroy, 200);
        serve(session, GETATTR, 200);

        assertEquals(List.of(INIT, extended, destroy), seen);
    }

    /// A front end that leaves says no DESTROY. The file system hears one all the same.
    @Test
    void aResetEndsTheSession() throws Exception {
        List<FuseRequest> seen = new ArrayList<>();
        FuseSession session = new FuseSession(request -> {
            seen.add(request);
            return request instanceof SessionRequest.Init ? agree(0) : Reply.EMPTY;
        });
        serve(session, INIT, 200);

        session.reset();

        assertEquals(SessionRequest.Destroy.class, seen.getLast().getClass());
        serve(session, GETATTR, 200);
        assertEquals(-Errno.EIO, header().error());
    }
}
