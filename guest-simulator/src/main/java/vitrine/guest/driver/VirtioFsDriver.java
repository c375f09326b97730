package vitrine.guest.driver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import vitrine.fuse.Encoded;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Opcode;
import vitrine.fuse.struct.OutHeader;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// The virtio-fs driver of the guest: puts FUSE requests into virtqueues the way Linux does.
///
/// Linux gives each of these a descriptor of its own (virtio 1.3, 5.11.6.1 leaves it free): the
/// 40-byte header, all arguments together, each page of data; then, writable, the 16-byte reply
/// header, the reply's struct, each page for data. FORGET alone is one piece of 48 bytes, in the
/// high-priority queue.
public final class VirtioFsDriver implements Transport {

    private static final int HEADER_OVERHEAD = 4; // header and arguments, each way
    private static final long A_SECOND = 1_000_000_000;
    private static final int OUT_HEADER = (int) OutHeader.LAYOUT.byteSize();

    // Some daemons write no reply to DESTROY, and Linux only looks whether the chain is back.
    private static final Answer NO_WORDS = new Answer(new OutHeader(OUT_HEADER, 0, 0), Buffers.EMPTY);

    private final RequestQueue hiprio;
    private final List<RequestQueue> requests;
    private final GuestPages pages;
    private final int mostPages;
    private final Set<Chain> underWay = ConcurrentHashMap.newKeySet();

    /// @param hiprio queue 0
    /// @param requests queues 1 and up, at least one
    /// @param pages where requests lie while the device has them
    /// @param queueSize entries of a request queue
    public VirtioFsDriver(RequestQueue hiprio, List<RequestQueue> requests, GuestPages pages, int queueSize) {
        this.hiprio = hiprio;
        this.requests = List.copyOf(requests);
        this.pages = pages;
        this.mostPages = Math.max(1, queueSize - HEADER_OVERHEAD);
    }

    /// Linux keeps a chain within the size of its queue, even if an indirect table could be longer.
    @Override
    public int mostPages() {
        return mostPages;
    }

    @Override
    public int queues() {
        return requests.size();
    }

    @Override
    public Sent send(FuseRequest request, int room, int queue) {
        Encoded encoded = request.encode();
        Placed placed = withMemory(runs -> place(encoded, room, runs));
        RequestQueue ours = requests.get(queue);
        Chain chain = new Chain(request, ours, ours.add(request, placed.readable, placed.writable), placed);
        underWay.add(chain);
        ours.kick();
        return chain;
    }

    /// Where a request lies.
    ///
    /// @param header of the reply
    /// @param payload of the reply
    /// @param runs all its pages
    private record Placed(
            List<GuestRange> readable,
            List<GuestRange> writable,
            GuestPages.Run header,
            List<GuestPages.Run> payload,
            List<GuestPages.Run> runs) {}

    /// Takes all the memory of a request at once: two that have half of theirs would wait for each
    /// other. If there is not enough, waits for what others have, as Linux does.
    ///
    /// @throws OutOfGuestMemoryException if it is not enough although nobody else has any, or if
    ///     what others have is lost
    private <T> T withMemory(Function<List<GuestPages.Run>, T> taker) {
        long deadline = System.nanoTime() + A_SECOND;
        while (true) {
            synchronized (pages) {
                List<GuestPages.Run> runs = new ArrayList<>();
                try {
                    return taker.apply(runs);
                } catch (OutOfGuestMemoryException e) {
                    runs.forEach(pages::giveBack);
                    if (pages.inUse() == 0 || underWay.isEmpty() && System.nanoTime() - deadline > 0) {
                        throw e;
                    }
                }
            }
            awaitMemory();
        }
    }

    /// Takes back the largest request: a small one may wait for a lock, and that for ever.
    private void awaitMemory() {
        Optional<Chain> largest = underWay.stream().max(Comparator.comparingInt(Chain::size));
        largest.ifPresentOrElse(Chain::finish, () -> LockSupport.parkNanos(A_SECOND / 10_000));
    }

    private Placed place(Encoded encoded, int room, List<GuestPages.Run> runs) {
        List<GuestRange> readable = place(encoded, runs);
        GuestPages.Run header = take(OUT_HEADER, runs);
        List<GuestRange> writable = new ArrayList<>(List.of(header.range(OUT_HEADER)));
        List<GuestPages.Run> payload = new ArrayList<>();
        for (int left = room; left > 0; left -= GuestPages.PAGE) {
            GuestPages.Run page = take(GuestPages.PAGE, runs);
            payload.add(page);
            writable.add(page.range(Math.min(left, GuestPages.PAGE)));
        }
        return new Placed(readable, writable, header, payload, runs);
    }

    /// A request in a queue, and the pages that are the device's until it is back. If it never
    /// comes, they stay the device's: it may write to them any time.
    private final class Chain implements Sent {

        private final FuseRequest request;
        private final RequestQueue queue;
        private final RequestQueue.Pending pending;
        private final Placed placed;
        private Answer answer;
        private NoAnswerException unusable;

        Chain(FuseRequest request, RequestQueue queue, RequestQueue.Pending pending, Placed placed) {
            this.request = request;
            this.queue = queue;
            this.pending = pending;
            this.placed = placed;
        }

        int size() {
            return placed.runs.size();
        }

        @Override
        public boolean isBack() {
            return queue.isBack(pending);
        }

        @Override
        public synchronized Answer await() {
            finish();
            if (unusable != null) {
                throw unusable;
            }
            return answer;
        }

        /// Waits for the reply, keeps a copy and gives the pages back. Whoever needs pages may do
        /// it; that a reply is unusable is for whoever asked.
        synchronized void finish() {
            if (answer != null || unusable != null) {
                return;
            }
            queue.await(request, pending);
            try {
                answer = read(request, pending.written(), placed.header, placed.payload);
            } catch (NoAnswerException e) {
                unusable = e;
            }
            placed.runs.forEach(pages::giveBack);
            underWay.remove(this);
        }
    }

    @Override
    public void post(FuseRequest request) {
        byte[] bytes = request.encode().all().toBytes();
        GuestPages.Run run = withMemory(runs -> take(bytes.length, runs));
        Buffers.of(run.memory()).copyFrom(bytes, 0);
        RequestQueue.Pending pending = hiprio.add(request, List.of(run.range(bytes.length)), List.of());
        hiprio.kick();
        hiprio.await(request, pending);
        pages.giveBack(run);
    }

    private List<GuestRange> place(Encoded encoded, List<GuestPages.Run> runs) {
        List<GuestRange> ranges = new ArrayList<>();
        for (byte[] piece : List.of(encoded.header(), encoded.args())) {
            if (piece.length > 0) {
                GuestPages.Run run = take(piece.length, runs);
                Buffers.of(run.memory()).copyFrom(piece, 0);
                ranges.add(run.range(piece.length));
            }
        }
        Buffers data = encoded.data();
        for (long at = 0; at < data.size(); at += GuestPages.PAGE) {
            Buffers page = data.slice(at, Math.min(GuestPages.PAGE, data.size() - at));
            GuestPages.Run run = take(GuestPages.PAGE, runs);
            Buffers.of(run.memory()).copyFrom(page.toBytes(), 0);
            ranges.add(run.range(page.size()));
        }
        return ranges;
    }

    private Answer read(FuseRequest request, long written, GuestPages.Run header, List<GuestPages.Run> replyRuns) {
        if (written == 0 && request.opcode() == Opcode.DESTROY) {
            return NO_WORDS;
        }
        try {
            OutHeader out = OutHeader.decode(new WireReader(Buffers.of(header.memory())));
            long length = Integer.toUnsignedLong(out.len());
            if (written < OUT_HEADER || length < OUT_HEADER || length > written) {
                throw new MalformedException(written + " bytes written, the reply says " + length);
            }
            if (out.unique() != request.unique()) {
                throw new MalformedException("the reply is to " + out.unique() + ", not to " + request.unique());
            }
            Buffers payload =
                    Buffers.of(replyRuns.stream().map(GuestPages.Run::memory).toList());
            return new Answer(
                    out, Buffers.ofBytes(payload.slice(0, length - OUT_HEADER).toBytes()));
        } catch (MalformedException e) {
            throw new NoAnswerException("no usable answer to " + request.opcode(), e);
        }
    }

    private GuestPages.Run take(long bytes, List<GuestPages.Run> runs) {
        GuestPages.Run run = pages.take(bytes);
        runs.add(run);
        return run;
    }
}
