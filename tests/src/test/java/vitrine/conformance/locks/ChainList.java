package vitrine.conformance.locks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.struct.OutHeader;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.DeviceQueue;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// A queue without a ring: chains in, and what came back of each. For any thread.
final class ChainList implements DeviceQueue {

    static final int SIZE = 16;

    private final ConcurrentLinkedQueue<DescriptorChain> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lastHead = new AtomicInteger(-1);
    private final List<Returned> returned = new ArrayList<>();

    /// A chain that came back.
    ///
    /// @param errno positive; -1 if nothing was written
    record Returned(int head, int errno) {}

    private final List<Buffers> replies = new ArrayList<>();

    /// Offers a request, and returns its head.
    int add(FuseRequest request) {
        return add(request, Buffers.ofBytes(new byte[256]));
    }

    /// The same with a place of its own for the reply.
    int add(FuseRequest request, Buffers writable) {
        int head = lastHead.incrementAndGet();
        synchronized (this) {
            replies.add(writable);
        }
        waiting.add(new DescriptorChain(head, request.encode().all(), writable, 2));
        return head;
    }

    /// What has come back so far, in that order.
    synchronized List<Returned> returned() {
        return List.copyOf(returned);
    }

    /// The errno of a chain that came back once, or null if it has not.
    synchronized Integer errno(int head) {
        return returned.stream()
                .filter(one -> one.head() == head)
                .map(Returned::errno)
                .findFirst()
                .orElse(null);
    }

    @Override
    public Optional<DescriptorChain> pop() {
        return Optional.ofNullable(waiting.poll());
    }

    @Override
    public boolean waiting() {
        return !waiting.isEmpty();
    }

    @Override
    public synchronized void push(int head, long written) {
        try {
            int errno = written == 0
                    ? -1
                    : -OutHeader.decode(new WireReader(replies.get(head))).error();
            returned.add(new Returned(head, errno));
        } catch (MalformedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public boolean driverWantsCall() {
        return true;
    }

    @Override
    public boolean askForKick() {
        return waiting();
    }

    @Override
    public void refuseKicks() {
        // Kicks are welcome.
    }

    @Override
    public int size() {
        return SIZE;
    }

    @Override
    public int base() {
        return lastHead.get() + 1;
    }
}
