package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.hostile.LyingDriver;
import vitrine.guest.hostile.Returned;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;

/// A guest that stays for a few requests, and leaves without tidying up.
final class BriefGuest {

    /// A header of root's, about the root of the share.
    static final InHeader ROOT = InHeader.of(2, 1, 0, 0, 0);

    /// INIT as of a current kernel.
    static final FuseRequest INIT = new SessionRequest.Init(ROOT, new InitIn(7, 38, 0, -1, -1));

    private static final int ROOM = 4096;

    private final LyingDriver driver; // which can tell the truth as well

    /// Starts the queues.
    BriefGuest(Frontend frontend) throws Exception {
        driver = DaemonProcess.driver(frontend, frontend.startQueues(16).get(1));
    }

    /// INIT, and the share's `file`, which stays open.
    static void visit(Frontend frontend) throws Exception {
        BriefGuest guest = new BriefGuest(frontend);
        assertEquals(0, guest.errno(INIT));
        InHeader file = InHeader.of(4, guest.lookup("file").nodeid(), 0, 0, 0);
        assertEquals(0, guest.errno(new FileRequest.Open(file, new OpenIn(0, 0))));
    }

    Returned ask(FuseRequest request) {
        return driver.ask(request.encode().all().toBytes(), ROOM);
    }

    int errno(FuseRequest request) {
        return ask(request).errno();
    }

    EntryOut lookup(String name) throws MalformedException {
        return EntryOut.decode(ask(new InodeRequest.Lookup(ROOT, Name.of(name))).payload());
    }
}
