package vitrine.conformance.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.RamLayout;
import vitrine.guest.hostile.LyingDriver;
import vitrine.memory.GuestMemory;
import vitrine.memory.MappedMemory;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.session.FuseSession;
import vitrine.session.QueueWorker;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.RingAreas;
import vitrine.virtqueue.RingFormat;
import vitrine.virtqueue.SplitDeviceQueue;
import vitrine.virtqueue.SplitRing;

/// The real rings, workers and file system, without a socket and without threads.
final class SteppedVictim implements Victim {

    private static final Syscalls SYS = new Syscalls(Libc.load());
    private static final int PAGE = 4096;

    private final Path share;
    private final GuestRam ram;
    private final GuestMemory mapped;
    private final PassthroughFs fileSystem;
    private final FuseSession session;
    private final List<Queue> queues = new ArrayList<>();

    SteppedVictim(Path share) throws ErrnoException {
        this.share = share;
        ram = new GuestRam(
                SYS, new RamLayout(List.of(new RamLayout.Range(0, SEAM), new RamLayout.Range(SEAM, RAM_END - SEAM))));
        mapped = new GuestMemory(SYS);
        for (GuestRam.Piece piece : ram.pieces()) {
            mapped.add(piece.region(), piece.fd());
        }
        fileSystem = new PassthroughFs(SYS, share.toString(), PassthroughOptions.DEFAULT.with(Feature.XATTR));
        session = new FuseSession(fileSystem);
        for (int index = 0; index < 2; index++) {
            queues.add(new Queue(index));
        }
    }

    /// One queue; a kick is the device's work.
    private final class Queue implements Doorbell {

        private final int index;
        private final SplitRing ring = new SplitRing(new RingAreas(
                QUEUE_SIZE,
                area(RingFormat.SPLIT.descriptorBytes(QUEUE_SIZE)),
                area(RingFormat.SPLIT.driverBytes(QUEUE_SIZE)),
                area(RingFormat.SPLIT.deviceBytes(QUEUE_SIZE))));
        private final EventFd call = EventFd.create(SYS);
        private SplitDeviceQueue device;
        private QueueWorker worker;
        private LyingDriver driver;
        private boolean givenUp;

        Queue(int index) throws ErrnoException {
            this.index = index;
            begin(0);
        }

        private void begin(int base) {
            givenUp = false;
            device = new SplitDeviceQueue(ring, mapped, true, base);
            worker = new QueueWorker(new QueueWorker.Queue(index, device, mapped, call, call), session);
            ring.releaseAvailIdx(base);
            driver = new LyingDriver(ring, ram, this, PATIENCE);
        }

        @Override
        public void kick() {
            try {
                if (!givenUp) {
                    worker.drain();
                }
            } catch (BrokenQueueException _) {
                givenUp = true;
            }
        }

        @Override
        public boolean awaitCall(Duration limit) {
            return call.drain() > 0;
        }
    }

    private MappedMemory area(long bytes) {
        return new MappedMemory(ram.reserved(ram.reserve(bytes, PAGE), bytes));
    }

    @Override
    public LyingDriver queue(int index) {
        return queues.get(index).driver;
    }

    @Override
    public boolean isGivenUp(int index) {
        return queues.get(index).givenUp;
    }

    @Override
    public void restart(int index) {
        Queue queue = queues.get(index);
        queue.begin(queue.device.base());
    }

    /// Those for files of the share: the JVM of the test opens and closes others as it pleases.
    @Override
    public long descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(fd -> target(fd).startsWith(share.toString())).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path fd) {
        try {
            return Files.readSymbolicLink(fd).toString();
        } catch (IOException _) {
            return ""; // closed by now
        }
    }

    @Override
    public void close() {
        fileSystem.close();
        mapped.close();
        ram.close();
        queues.forEach(queue -> queue.call.close());
    }
}
