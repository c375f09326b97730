package vitrine.guest.compare;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import vitrine.fuse.Encoded;
import vitrine.fuse.FuseRequest;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.driver.DriverQueue;
import vitrine.guest.driver.DriverRing;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.IndirectTables;
import vitrine.guest.driver.NoAnswerException;
import vitrine.guest.driver.Used;
import vitrine.guest.frontend.GuestRam;
import vitrine.posix.ErrnoException;
import vitrine.virtqueue.Descriptor;
import vitrine.wire.Buffers;

/// A guest that keeps so many requests in the ring, and counts what that takes.
///
/// Requests lie ready in guest memory and are offered again and again, so that the guest costs next
/// to nothing and the device is what is measured. Like Linux it gives each page a descriptor of its
/// own, and like Linux' its pages do not lie side by side.
public final class Pump {

    private static final int PAGE = 4096;
    private static final int TABLE_ENTRIES = 264;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final GuestRam ram;
    private final DriverQueue<Slot> queue;
    private final Doorbell doorbell;
    private final List<Long> freePages = new ArrayList<>();
    private long kicks;
    private long calls;
    private long wishes;
    private long requests;

    /// A request that lies ready, and where its reply goes.
    public static final class Slot {
        private final List<GuestRange> readable = new ArrayList<>();
        private final List<GuestRange> writable = new ArrayList<>();
        private MemorySegment header; // of the reply
        private long written;

        /// The errno that the last reply brought, 0 if it was none.
        public int errno() {
            return -header.get(ValueLayout.JAVA_INT_UNALIGNED, 4);
        }
    }

    /// @param pages how much memory to use for requests and replies
    public Pump(GuestRam ram, DriverRing ring, Doorbell doorbell, int pages) {
        this.ram = ram;
        this.doorbell = doorbell;
        long bytes = (long) Descriptor.BYTES * TABLE_ENTRIES * ring.size();
        long tables = ram.reserve(bytes, PAGE);
        queue = ring.queue(
                IndirectTables.sideBySide(tables, ram.reserved(tables, bytes), TABLE_ENTRIES), new Random(1));
        long first = ram.reserve((long) pages * PAGE, PAGE);
        for (int i = 0; i < pages; i++) {
            freePages.add(first + (long) i * PAGE);
        }
        Collections.shuffle(freePages, new Random(2));
    }

    /// Puts a request into guest memory, with so much room for the reply behind its header.
    public Slot place(FuseRequest request, int room) {
        Slot slot = new Slot();
        Encoded encoded = request.encode();
        for (byte[] piece : List.of(encoded.header(), encoded.args())) {
            if (piece.length > 0) {
                long page = freePages.removeLast();
                Buffers.of(ram.reserved(page, PAGE)).copyFrom(piece, 0);
                slot.readable.add(new GuestRange(page, piece.length));
            }
        }
        for (long left = encoded.data().size(); left > 0; left -= PAGE) {
            slot.readable.add(new GuestRange(freePages.removeLast(), Math.min(left, PAGE)));
        }
        long header = freePages.removeLast();
        slot.header = ram.reserved(header, 16);
        slot.writable.add(new GuestRange(header, 16));
        for (long left = room; left > 0; left -= PAGE) {
            slot.writable.add(new GuestRange(freePages.removeLast(), Math.min(left, PAGE)));
        }
        return slot;
    }

    /// Makes room: what lies in these slots is not needed any more.
    public void discard(List<Slot> slots) {
        for (Slot slot : slots) {
            slot.readable.forEach(range -> freePages.add(range.address()));
            slot.writable.forEach(range -> freePages.add(range.address()));
        }
    }

    /// The reply of a slot behind its header.
    public byte[] reply(Slot slot) {
        List<MemorySegment> parts = new ArrayList<>();
        for (GuestRange range : slot.writable.subList(1, slot.writable.size())) {
            parts.add(ram.reserved(range.address(), range.length()));
        }
        return Buffers.of(parts).slice(0, Math.max(0, slot.written - 16)).toBytes();
    }

    /// Sends each of these `times` times, in turns, `depth` of them at once.
    ///
    /// @throws NoAnswerException if there is no reply for half a minute
    public void run(List<Slot> slots, int depth, int times) throws BrokenDeviceException, ErrnoException {
        long total = (long) slots.size() * times;
        List<Slot> back = new ArrayList<>();
        long sent = 0;
        long done = 0;
        while (sent < Math.min(depth, total)) {
            offer(slots.get((int) (sent++ % slots.size())));
        }
        kickIfWanted();
        while (done < total) {
            await(back);
            done += back.size();
            for (int i = 0; i < back.size() && sent < total; i++) {
                offer(slots.get((int) (sent++ % slots.size())));
            }
            back.clear();
            kickIfWanted();
        }
        requests += total;
    }

    /// Sends all of these at once, asks for one call, and from then on looks by itself until all
    /// are back. So it is no matter of chance how often the device calls: once.
    ///
    /// @throws NoAnswerException if there is no reply for half a minute
    public void runTogether(List<Slot> slots) throws BrokenDeviceException, ErrnoException {
        List<Slot> back = new ArrayList<>();
        slots.forEach(this::offer);
        kickIfWanted();
        await(back);
        long start = System.nanoTime();
        while (back.size() < slots.size()) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new NoAnswerException("no answer within " + LIMIT.toSeconds() + " s");
            }
            Thread.yield();
            take(back);
        }
        requests += slots.size();
    }

    /// How often the device had to be kicked.
    public long kicks() {
        return kicks;
    }

    /// How often the device has called.
    public long calls() {
        return calls;
    }

    /// How often the guest has asked to be called.
    public long wishes() {
        return wishes;
    }

    /// How many requests were answered.
    public long requests() {
        return requests;
    }

    private void offer(Slot slot) {
        if (queue.add(slot.readable, slot.writable, slot).isEmpty()) {
            throw new IllegalStateException("the queue is full");
        }
    }

    private void kickIfWanted() throws ErrnoException {
        if (queue.deviceWantsKick()) {
            kicks++;
            doorbell.kick();
        }
    }

    /// Waits for the call, as an interrupt handler does, and takes what is there.
    private void await(List<Slot> back) throws BrokenDeviceException, ErrnoException {
        take(back);
        while (back.isEmpty()) {
            wishes++;
            if (!queue.askForCall()) {
                if (!doorbell.awaitCall(LIMIT)) {
                    throw new NoAnswerException("no answer within " + LIMIT.toSeconds() + " s");
                }
                calls++;
            }
            take(back);
        }
    }

    private void take(List<Slot> back) throws BrokenDeviceException {
        for (var used = queue.poll(); used.isPresent(); used = queue.poll()) {
            Used<Slot> chain = used.get();
            chain.token().written = chain.written();
            back.add(chain.token());
        }
    }
}
