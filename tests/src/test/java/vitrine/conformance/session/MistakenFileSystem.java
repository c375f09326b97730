package vitrine.conformance.session;

import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.OutHeader;
import vitrine.session.FuseSession;
import vitrine.virtqueue.DescriptorChain;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// A program whose file system makes a mistake; its exit code is the errno that the guest would see.
final class MistakenFileSystem {

    static final String MISTAKE = "a mistake for a test";

    private MistakenFileSystem() {}

    public static void main(String... arguments) throws MalformedException {
        System.exit(serve());
    }

    static int serve() throws MalformedException {
        FuseSession session = new FuseSession(_ -> {
            throw new IllegalStateException(MISTAKE);
        });
        var init = new SessionRequest.Init(InHeader.of(1, 0, 0, 0, 0), new InitIn(7, 38, 0, 0, 0));
        Buffers reply = Buffers.ofBytes(new byte[100]);
        session.serve(new DescriptorChain(0, init.encode().all(), reply, 2));
        return -OutHeader.decode(new WireReader(reply)).error();
    }
}
