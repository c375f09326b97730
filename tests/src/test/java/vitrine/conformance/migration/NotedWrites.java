package vitrine.conformance.migration;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import vitrine.fuse.FuseRequest;
import vitrine.guest.Device;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.RequestQueue;
import vitrine.guest.frontend.WriteLog;
import vitrine.memory.DirtyLog;

/// A driver's queue that looks into the log after each request: pages of the reply that are not
/// what they were must be there, and nothing but those and the ring.
final class NotedWrites implements RequestQueue {

    private final RequestQueue queue;
    private final Device device;
    private final WriteLog log;
    private final BitSet logged; // since a page was made room for a reply
    private final Map<Pending, Reply> replies = new HashMap<>();

    private final BitSet everyReply = new BitSet();

    private record Reply(List<GuestRange> room, Map<Integer, byte[]> before) {}

    /// @param logged the same for all queues
    NotedWrites(RequestQueue queue, Device device, WriteLog log, BitSet logged) {
        this.queue = queue;
        this.logged = logged;
        this.device = device;
        this.log = log;
    }

    @Override
    public Pending add(FuseRequest request, List<GuestRange> readable, List<GuestRange> writable) {
        Reply reply = new Reply(writable, new HashMap<>());
        logged.or(log.take());
        pages(writable).stream().forEach(page -> {
            reply.before.put(page, content(page));
            logged.clear(page);
        });
        Pending pending = queue.add(request, readable, writable);
        replies.put(pending, reply);
        return pending;
    }

    private byte[] content(int page) {
        return device.ram().reserved((long) page * DirtyLog.PAGE, DirtyLog.PAGE).toArray(ValueLayout.JAVA_BYTE);
    }

    private static BitSet pages(List<GuestRange> ranges) {
        BitSet pages = new BitSet();
        for (GuestRange range : ranges) {
            int first = (int) (range.address() / DirtyLog.PAGE);
            int last = (int) ((range.address() + range.length() - 1) / DirtyLog.PAGE);
            pages.set(first, last + 1);
        }
        return pages;
    }

    @Override
    public boolean kick() {
        return queue.kick();
    }

    @Override
    public boolean isBack(Pending pending) {
        return queue.isBack(pending);
    }

    @Override
    public void await(FuseRequest request, Pending pending) {
        queue.await(request, pending);
        Reply reply = replies.remove(pending);
        logged.or(log.take());
        reply.before.forEach((page, before) -> assertTrue(
                logged.get(page) || Arrays.equals(before, content(page)),
                request.opcode() + " has written to page " + page + ", and said nothing"));
        everyReply.or(pages(reply.room));
    }

    /// How many pages were written to that are no reply's: the rings'.
    int ringPages() {
        BitSet ofRings = (BitSet) logged.clone();
        ofRings.andNot(everyReply);
        return ofRings.cardinality();
    }
}
