package vitrine.guest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vitrine.dax.Window;
import vitrine.fuse.FileSystem;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.driver.DriverRing;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.RamLayout;
import vitrine.guest.frontend.WindowMemory;
import vitrine.memory.GuestMemory;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Syscalls;
import vitrine.session.FuseSession;
import vitrine.session.QueueWorker;
import vitrine.trace.Actor;
import vitrine.trace.TraceEvent.Area;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.DeviceQueue;
import vitrine.virtqueue.RingAreas;
import vitrine.virtqueue.RingFormat;

/// A device that works on the caller's thread: a kick returns when the queue is served.
///
/// The queue worker, the rings and the two mappings of the guest's memory are the real ones. What
/// is missing is the socket, the threads, and with them chance.
final class SteppedDevice implements Device {

    private static final int QUEUES = 2; // hiprio and one request queue

    private final GuestRam ram;
    private final GuestMemory mapped; // the same memory as the device maps it
    private final WindowMemory window; // null: there is none
    private final SteppedWindow frontEnd; // null: likewise
    private final FuseSession session;
    private final MachineOptions options;
    private final Onlooker onlooker;
    private final List<Line> lines = new ArrayList<>();

    SteppedDevice(FileSystem fileSystem, MachineOptions options, Onlooker onlooker) throws ErrnoException {
        this.options = options;
        this.onlooker = onlooker;
        Syscalls sys = HostKernel.CALLS;
        session = new FuseSession(onlooker.tap(fileSystem), fileSystem);
        ram = new GuestRam(sys, RamLayout.onePiece(options.memory().bytes()));
        mapped = new GuestMemory(sys, (_, region) -> region.guestAddress() >= WindowMemory.ADDRESS);
        for (GuestRam.Piece piece : ram.pieces()) {
            mapped.add(piece.region(), piece.fd());
        }
        window = reserve(sys, options.dax().window());
        frontEnd = window == null ? null : new SteppedWindow(window, mapped);
        if (frontEnd != null) {
            frontEnd.listen(session::ring);
            options.dax().window().use(frontEnd);
        }
        for (int index = 0; index < QUEUES; index++) {
            lines.add(line(index, EventFd.create(sys)));
        }
    }

    @Override
    public GuestRam ram() {
        return ram;
    }

    private static WindowMemory reserve(Syscalls sys, Window window) throws ErrnoException {
        try {
            return window.size() == 0 ? null : WindowMemory.reserve(sys, window.size());
        } catch (FrontendException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public Optional<WindowMemory> window() {
        return Optional.ofNullable(window);
    }

    @Override
    public List<Line> lines() {
        return lines;
    }

    @Override
    public boolean isAlive() {
        return true;
    }

    @Override
    public void close() {
        if (window != null) {
            options.dax().window().use(null);
            window.close();
        }
        mapped.close();
        ram.close();
    }

    private Line line(int index, EventFd call) {
        MachineOptions.Rings rings = options.rings();
        RingFormat format = rings.packed() ? RingFormat.PACKED : RingFormat.SPLIT;
        FrontendQueue.Place place = FrontendQueue.Place.reserve(ram, format, rings.size());
        RingAreas deviceSide = tapped(place.areas(ram), index, Actor.DAEMON);
        DeviceQueue queue =
                onlooker.tap(format.deviceQueue(deviceSide, mapped, rings.eventIndex(), format.freshBase()), index);
        EventFd tapped = onlooker.tapCall(call, index);
        QueueWorker worker = new QueueWorker(new QueueWorker.Queue(index, queue, mapped, tapped, call), session);
        RingAreas driverSide = tapped(place.areas(ram), index, Actor.DRIVER);
        DriverRing ring = new DriverRing(format, driverSide, rings.eventIndex());
        return new Line(ring, rings.indirect(), new Step(worker, frontEnd, call));
    }

    private RingAreas tapped(RingAreas areas, int queue, Actor side) {
        return new RingAreas(
                areas.size(),
                onlooker.tap(areas.descriptors(), Area.DESCRIPTORS, queue, side),
                onlooker.tap(areas.driver(), Area.AVAILABLE, queue, side),
                onlooker.tap(areas.device(), Area.USED, queue, side));
    }

    /// A kick is the device's work.
    private record Step(QueueWorker worker, SteppedWindow frontEnd, EventFd call) implements Doorbell {

        @Override
        public void kick() {
            try {
                worker.drain(() -> frontEnd != null && frontEnd.takeTurn());
            } catch (BrokenQueueException e) {
                throw new IllegalStateException("our own driver broke the ring: " + e.getMessage(), e);
            }
        }

        @Override
        public boolean awaitCall(Duration limit) {
            return call.drain() > 0;
        }
    }
}
