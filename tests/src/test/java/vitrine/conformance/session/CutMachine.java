package vitrine.conformance.session;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import vitrine.conformance.posix.HostKernel;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.driver.DriverRing;
import vitrine.guest.driver.FuseQueue;
import vitrine.guest.driver.GuestPages;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.IndirectTables;
import vitrine.guest.driver.RequestQueue;
import vitrine.guest.driver.VirtioFsDriver;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.RamLayout;
import vitrine.guest.frontend.RamLayout.Range;
import vitrine.memory.GuestMemory;
import vitrine.memory.MappedMemory;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.session.FuseSession;
import vitrine.session.QueueWorker;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.Descriptor;
import vitrine.virtqueue.RingFormat;

/// Memory, rings and workers as in a stepped machine, and a driver that cuts whatever it sends and
/// wants to have at random: into pieces of some bytes and of many, with empty ones in between.
final class CutMachine implements AutoCloseable {

    /// Guest memory is three regions, which touch here and at twice this address.
    static final long SEAM = 1L << 20;

    private static final int ENTRIES = 1024;
    private static final long POOL = 4L << 20;

    /// @param format of the rings
    /// @param indirect whether chains lie in tables of their own
    /// @param seed decides how buffers are cut
    record Setup(RingFormat format, boolean indirect, long seed) {}

    final FuseSession session;

    private final GuestRam ram = new GuestRam(
            HostKernel.SYS,
            new RamLayout(List.of(new Range(0, SEAM), new Range(SEAM, SEAM), new Range(2 * SEAM, 4 * POOL))));
    private final GuestMemory mapped = new GuestMemory(HostKernel.SYS);
    private final List<RequestQueue> queues = new ArrayList<>();
    private final List<EventFd> calls = new ArrayList<>();
    private final Random random;

    CutMachine(FileSystem fileSystem, Setup setup) throws ErrnoException {
        random = new Random(setup.seed);
        session = new FuseSession(fileSystem);
        for (GuestRam.Piece piece : ram.pieces()) {
            mapped.add(piece.region(), piece.fd());
        }
        ram.reserve(SEAM / 2, GuestPages.PAGE); // what lies across the second seam
        for (int index = 0; index < 2; index++) {
            queues.add(new Cutting(queue(index, setup)));
        }
    }

    private FuseQueue queue(int index, Setup setup) throws ErrnoException {
        FrontendQueue.Place place = FrontendQueue.Place.reserve(ram, setup.format, ENTRIES);
        EventFd call = EventFd.create(HostKernel.SYS);
        calls.add(call);
        var device = setup.format.deviceQueue(place.areas(ram), mapped, true, setup.format.freshBase());
        QueueWorker worker = new QueueWorker(new QueueWorker.Queue(index, device, mapped, call, call), session);
        IndirectTables tables = setup.indirect ? oneTable() : IndirectTables.none();
        DriverRing ring = new DriverRing(setup.format, place.areas(ram), true);
        return new FuseQueue(ring.queue(tables, random), new Step(worker, call), Duration.ofSeconds(10));
    }

    /// There is one request at a time.
    private IndirectTables oneTable() {
        long bytes = (long) ENTRIES * Descriptor.BYTES;
        long at = ram.reserve(bytes, GuestPages.PAGE);
        return (_, descriptors) -> descriptors > ENTRIES
                ? Optional.empty()
                : Optional.of(new IndirectTables.Table(at, new MappedMemory(ram.reserved(at, bytes))));
    }

    /// A kick is the device's work.
    private record Step(QueueWorker worker, EventFd call) implements Doorbell {

        @Override
        public void kick() {
            try {
                worker.drain();
            } catch (BrokenQueueException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public boolean awaitCall(Duration limit) {
            return call.drain() > 0;
        }
    }

    /// A queue that cuts.
    private final class Cutting implements RequestQueue {

        private final RequestQueue queue;

        Cutting(RequestQueue queue) {
            this.queue = queue;
        }

        @Override
        public Pending add(FuseRequest request, List<GuestRange> readable, List<GuestRange> writable) {
            return queue.add(request, cut(readable), cut(writable));
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
        }
    }

    private List<GuestRange> cut(List<GuestRange> ranges) {
        List<GuestRange> pieces = new ArrayList<>();
        for (GuestRange range : joined(ranges)) {
            int most = 2 + (int) range.length() / 20;
            for (long done = 0; done < range.length(); ) {
                if (random.nextInt(10) == 0) {
                    pieces.add(new GuestRange(random.nextLong(), 0)); // no memory, wherever it says
                }
                long size = Math.min(range.length() - done, 1 + random.nextInt(random.nextBoolean() ? 3 : most));
                pieces.add(new GuestRange(range.address() + done, size));
                done += size;
            }
        }
        return pieces;
    }

    /// What lies side by side is one range, so that pieces go across pages as well.
    private static List<GuestRange> joined(List<GuestRange> ranges) {
        List<GuestRange> joined = new ArrayList<>();
        for (GuestRange range : ranges) {
            GuestRange last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && last.address() + last.length() == range.address()) {
                joined.set(joined.size() - 1, new GuestRange(last.address(), last.length() + range.length()));
            } else {
                joined.add(range);
            }
        }
        return joined;
    }

    /// Has a request served that lies across the first seam; its reply lies across the second.
    ///
    /// @param reply what is there before, and then the reply
    /// @return how many bytes of it were written
    long serve(FuseRequest request, byte[] reply) {
        byte[] bytes = request.encode().all().toBytes();
        long from = SEAM - random.nextInt(bytes.length);
        long to = 2 * SEAM - random.nextInt(reply.length);
        for (int i = 0; i < bytes.length; i++) {
            at(from + i).set(ValueLayout.JAVA_BYTE, 0, bytes[i]);
        }
        for (int i = 0; i < reply.length; i++) {
            at(to + i).set(ValueLayout.JAVA_BYTE, 0, reply[i]);
        }
        RequestQueue queue = queues.getLast();
        RequestQueue.Pending pending = queue.add(
                request, List.of(new GuestRange(from, bytes.length)), List.of(new GuestRange(to, reply.length)));
        queue.kick();
        queue.await(request, pending);
        for (int i = 0; i < reply.length; i++) {
            reply[i] = at(to + i).get(ValueLayout.JAVA_BYTE, 0);
        }
        return pending.written();
    }

    private MemorySegment at(long address) {
        return ram.reserved(address, 1);
    }

    /// A driver for a kernel.
    VirtioFsDriver driver() {
        long pool = ram.reserve(POOL, GuestPages.PAGE);
        GuestPages pages = new GuestPages(pool, ram.reserved(pool, POOL), false);
        return new VirtioFsDriver(queues.getFirst(), queues.subList(1, 2), pages, ENTRIES);
    }

    @Override
    public void close() {
        mapped.close();
        ram.close();
        calls.forEach(EventFd::close);
    }
}
