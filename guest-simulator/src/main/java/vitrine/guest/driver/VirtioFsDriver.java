package vitrine.guest.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
    private static final int OUT_HEADER = (int) OutHeader.LAYOUT.byteSize();

    // Some daemons write no reply to DESTROY, and Linux only looks whether the chain is back.
    private static final Answer NO_WORDS = new Answer(new OutHeader(OUT_HEADER, 0, 0), Buffers.EMPTY);

    private final RequestQueue hiprio;
    private final List<RequestQueue> requests;
    private final GuestPages pages;
    private final int mostPages;
    private final AtomicInteger turn = new AtomicInteger();

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
    public Answer exchange(FuseRequest request, int room) {
        List<GuestPages.Run> runs = new ArrayList<>();
        try {
            return exchange(request, room, runs);
        } finally {
            runs.forEach(pages::giveBack);
        }
    }

    private Answer exchange(FuseRequest request, int room, List<GuestPages.Run> runs) {
        List<GuestRange> readable = place(request.encode(), runs);
        GuestPages.Run header = take(OUT_HEADER, runs);
        List<GuestRange> writable = new ArrayList<>(List.of(header.range(OUT_HEADER)));
        List<GuestPages.Run> payload = new ArrayList<>();
        for (int left = room; left > 0; left -= GuestPages.PAGE) {
            GuestPages.Run page = take(GuestPages.PAGE, runs);
            payload.add(page);
            writable.add(page.range(Math.min(left, GuestPages.PAGE)));
        }
        RequestQueue queue = nextQueue();
        RequestQueue.Pending pending = queue.add(request, readable, writable);
        try {
            queue.kick();
            queue.await(request, pending);
        } catch (NoAnswerException e) {
            runs.clear(); // the device keeps the pages: it may write to them any time
            throw e;
        }
        return read(request, pending.written(), header, payload);
    }

    @Override
    public void post(FuseRequest request) {
        byte[] bytes = request.encode().all().toBytes();
        GuestPages.Run run = pages.take(bytes.length);
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

    /// Linux picks the queue of the CPU that it runs on; we have none and take turns.
    private RequestQueue nextQueue() {
        return requests.get(Math.floorMod(turn.getAndIncrement(), requests.size()));
    }
}
