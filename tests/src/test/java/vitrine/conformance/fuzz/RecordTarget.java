package vitrine.conformance.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.Arena;
import vitrine.conformance.wire.AnyRequest;
import vitrine.fuse.Dialect;
import vitrine.fuse.FuseRequest;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;

/// What can be understood as a request can be said again, and is understood the same.
final class RecordTarget implements FuzzTarget {

    private final Buffers writable = Buffers.of(Arena.global().allocate(4096));

    @Override
    public void take(byte[] input) throws Exception {
        Input in = new Input(input);
        int agreed = in.u8();
        Dialect dialect = new Dialect(Dialect.NEWEST_MINOR, (agreed & 1) != 0, (agreed & 2) != 0);
        FuseRequest request;
        try {
            request = FuseRequest.decode(Buffers.ofBytes(in.rest()), writable, dialect);
        } catch (MalformedException _) {
            return;
        }
        FuseRequest again = FuseRequest.decode(request.encode().all(), writable, dialect);
        assertEquals(AnyRequest.withoutInto(request), AnyRequest.withoutInto(again));
        assertFalse(request.toString().isEmpty());
    }
}
