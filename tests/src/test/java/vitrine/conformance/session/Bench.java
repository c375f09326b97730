package vitrine.conformance.session;

import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.guest.driver.DriverQueue;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.IndirectTables;
import vitrine.guest.driver.SplitDriverQueue;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.RamLayout;
import vitrine.memory.GuestMemory;
import vitrine.memory.MappedMemory;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.session.FuseSession;
import vitrine.session.QueueWorker;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.RingAreas;
import vitrine.virtqueue.RingFormat;
import vitrine.virtqueue.SplitDeviceQueue;
import vitrine.virtqueue.SplitRing;
import vitrine.wire.Buffers;

/// A queue worker, its ring and a driver, with a file system of the test's.
final class Bench implements AutoCloseable {

    static final Syscalls SYS = new Syscalls(Libc.load());
    static final int SIZE = 64;

    private static final int PAGE = 4096;
    private static final int REQUEST = 256; // bytes of a slot, the second half of it for the reply
    private static final RamLayout.Range BUFFERS = new RamLayout.Range(1 << 20, 1 << 20);

    final SplitRing ring;
    final DriverQueue<FuseRequest> driver;
    final WatchedQueue queue; // as the worker sees it
    final QueueWorker worker;
    final GuestMemory memory = new GuestMemory(SYS);
    final GuestRam.Piece buffers; // where requests lie; the ring is elsewhere
    final EventFd error = EventFd.create(SYS);
    final Calls calls = new Calls();

    private final GuestRam ram = new GuestRam(SYS, RamLayout.onePiece(1 << 20));
    private int slot;

    /// How often the driver was called; it does not listen.
    static final class Calls implements EventFd {

        final AtomicInteger count = new AtomicInteger();

        @Override
        public void signal() {
            count.incrementAndGet();
        }

        @Override
        public long drain() {
            return count.getAndSet(0);
        }

        @Override
        public Fd fd() {
            throw new UnsupportedOperationException("nobody waits for it");
        }

        @Override
        public void close() {
            // It is no descriptor.
        }
    }

    Bench(boolean eventIndex, FileSystem fileSystem) throws ErrnoException {
        buffers = ram.plug(BUFFERS);
        for (GuestRam.Piece piece : ram.pieces()) {
            memory.add(piece.region(), piece.fd());
        }
        ring = new SplitRing(new RingAreas(
                SIZE,
                area(RingFormat.SPLIT.descriptorBytes(SIZE)),
                area(RingFormat.SPLIT.driverBytes(SIZE)),
                area(RingFormat.SPLIT.deviceBytes(SIZE))));
        driver = new SplitDriverQueue<>(ring, eventIndex, IndirectTables.none(), new Random(1));
        FuseSession session = new FuseSession(
                request -> request instanceof SessionRequest.Init ? agreed() : fileSystem.answer(request));
        queue = new WatchedQueue(new SplitDeviceQueue(ring, memory, eventIndex, 0));
        worker = new QueueWorker(new QueueWorker.Queue(1, queue, memory, calls, error), session);
        begin(session);
    }

    private MappedMemory area(long bytes) {
        return new MappedMemory(ram.reserved(ram.reserve(bytes, PAGE), bytes));
    }

    private static void begin(FuseSession session) {
        var init = new SessionRequest.Init(InHeader.of(0, 0, 0, 0, 0), new InitIn(7, 38, 0, 0, 0));
        session.serve(new DescriptorChain(0, init.encode().all(), Buffers.ofBytes(new byte[80]), 2));
    }

    private static Reply agreed() {
        return new Reply.Struct(new InitOut(7, 38, 0, 0, 0, 0, 4096, 1, 0, 0, 0, 0, 0));
    }

    /// Offers a request to the device, without a kick. Its place is used again for the 64th after
    /// it.
    ///
    /// @return empty if the queue is full
    OptionalInt add(FuseRequest request) {
        byte[] bytes = request.encode().all().toBytes();
        long at = (long) slot * REQUEST;
        slot = (slot + 1) % SIZE;
        Buffers.of(buffers.memory()).copyFrom(bytes, at);
        long address = BUFFERS.start() + at;
        return driver.add(
                List.of(new GuestRange(address, bytes.length)),
                List.of(new GuestRange(address + REQUEST / 2, REQUEST / 2)),
                request);
    }

    @Override
    public void close() {
        memory.close();
        ram.close();
        error.close();
    }
}
