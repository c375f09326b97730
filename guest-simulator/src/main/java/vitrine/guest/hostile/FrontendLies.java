package vitrine.guest.hostile;

import static vitrine.virtqueue.Descriptor.NEXT;
import static vitrine.virtqueue.Descriptor.WRITE;

import java.util.Arrays;
import java.util.List;
import vitrine.fuse.FileRequest;
import vitrine.fuse.struct.WriteIn;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.RamLayout;
import vitrine.posix.ErrnoException;
import vitrine.virtqueue.Descriptor;
import vitrine.wire.Buffers;

/// What the front end has a part in: it is newer than the daemon, or unplugs memory that the guest
/// goes on using (vhost-user: "Communication", "Memory region description").
final class FrontendLies {

    private static final int UNKNOWN = 4711;
    private static final RamLayout.Range DIMM = new RamLayout.Range(1L << 30, 8L << 20);
    private static final int GETATTR = 56; // bytes
    private static final int REPLY = 200;
    private static final int HEADERS = 80; // of a WRITE
    private static final int WRITTEN = 1 << 20; // which takes a while
    private static final int UNDER_WAY = 40;

    private FrontendLies() {}

    /// What is told around the moment in which a piece of memory goes.
    private interface Telling {
        Outcome to(Session session, Unplug unplug) throws FrontendException;
    }

    private interface Unplug {
        void now() throws FrontendException;
    }

    static List<Lie> all() {
        return List.of(
                new Lie("Front end", "a message that there is not", Outcome.NEXT, session -> session.say(UNKNOWN)),
                withDimm("a reply in memory that was unplugged", Outcome.EMPTY, FrontendLies::afterwards),
                withDimm("memory that is unplugged amid 40 writes", Outcome.ALL_BACK, FrontendLies::meanwhile));
    }

    private static Lie withDimm(String claim, String right, Telling telling) {
        return new Lie("Front end", claim, right, session -> {
            try {
                var dimm = session.frontend().plug(DIMM);
                return telling.to(session, () -> session.frontend().unplug(dimm));
            } catch (FrontendException | ErrnoException _) {
                return Outcome.SILENT;
            }
        });
    }

    private static Outcome afterwards(Session session, Unplug unplug) throws FrontendException {
        unplug.now();
        return session.send(
                new Descriptor(session.driver().request(), GETATTR, NEXT, 1),
                new Descriptor(DIMM.start(), REPLY, WRITE, 0));
    }

    private static Outcome meanwhile(Session session, Unplug unplug) throws FrontendException {
        WriteIn in = new WriteIn(session.fh(), 0, WRITTEN, 0, 0, 0);
        byte[] write = Session.bytes(
                new FileRequest.Write(session.header(session.file()), in, Buffers.ofBytes(new byte[WRITTEN])));
        session.driver().place(Arrays.copyOf(write, HEADERS));
        post(session.driver(), 0, UNDER_WAY / 2);
        unplug.now();
        post(session.driver(), UNDER_WAY / 2, UNDER_WAY);
        return session.allBack(UNDER_WAY);
    }

    private static void post(LyingDriver driver, int from, int end) {
        for (int i = from; i < end; i++) {
            driver.post(
                    3 * i,
                    List.of(
                            new Descriptor(driver.request(), HEADERS, NEXT, 3 * i + 1),
                            new Descriptor(DIMM.start(), WRITTEN, NEXT, 3 * i + 2),
                            new Descriptor(driver.reply(), REPLY, WRITE, 0)));
        }
    }
}
