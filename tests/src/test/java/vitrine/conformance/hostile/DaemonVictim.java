package vitrine.conformance.hostile;

import java.util.ArrayList;
import java.util.List;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.Manners;
import vitrine.guest.frontend.RamLayout;
import vitrine.guest.hostile.LyingDriver;
import vitrine.posix.ErrnoException;
import vitrine.vhostuser.Features;

/// The daemon's process behind a real socket. Indirect descriptors are not negotiated, so each one
/// is a lie of its own.
///
/// When the front end leaves, the daemon must have as many descriptors as before it came.
final class DaemonVictim implements Victim {

    final Frontend frontend;
    private final DaemonProcess daemon;
    private final long descriptorsBefore;
    private final List<FrontendQueue> queues;
    private final List<LyingDriver> drivers = new ArrayList<>();

    DaemonVictim(DaemonProcess daemon) throws ErrnoException, FrontendException {
        this.daemon = daemon;
        descriptorsBefore = daemon.descriptors();
        RamLayout layout =
                new RamLayout(List.of(new RamLayout.Range(0, SEAM), new RamLayout.Range(SEAM, RAM_END - SEAM)));
        frontend = daemon.connect(
                FrontendOptions.of(Manners.QEMU_11, RAM_END).withRam(layout).withoutFeatures(Features.INDIRECT_DESC));
        queues = new ArrayList<>(frontend.startQueues(QUEUE_SIZE));
        for (FrontendQueue queue : queues) {
            drivers.add(DaemonProcess.driver(frontend, queue));
        }
    }

    /// Has the front end give another call for a queue, as QEMU does when the guest masks the
    /// interrupt.
    void exchangeCall(int index) throws FrontendException, ErrnoException {
        queues.set(index, frontend.exchangeCall(queues.get(index)));
        drivers.set(index, DaemonProcess.driver(frontend, queues.get(index)));
    }

    @Override
    public LyingDriver queue(int index) {
        return drivers.get(index);
    }

    @Override
    public boolean isGivenUp(int index) {
        return DaemonProcess.isSignalled(queues.get(index).error(), PATIENCE);
    }

    @Override
    public void restart(int index) {
        try {
            int base = frontend.stopQueue(index);
            queues.get(index).ring().split().releaseAvailIdx(base);
            queues.set(index, frontend.resumeQueue(index, base));
            drivers.set(index, DaemonProcess.driver(frontend, queues.get(index)));
        } catch (FrontendException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    @Override
    public long descriptors() {
        return daemon.descriptors();
    }

    @Override
    public void close() {
        frontend.close();
        daemon.await("all descriptors are given back", () -> daemon.descriptors() <= descriptorsBefore);
    }
}
