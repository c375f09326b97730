package vitrine.conformance.hostile;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.Manners;
import vitrine.guest.frontend.RamLayout;
import vitrine.guest.hostile.LyingDriver;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.vhostuser.Features;

/// The daemon's process behind a real socket. Indirect descriptors are not negotiated, so each one
/// is a lie of its own.
final class DaemonVictim implements Victim {

    final DaemonProcess daemon;
    final Frontend frontend;
    private final List<FrontendQueue> queues;
    private final List<LyingDriver> drivers = new ArrayList<>();

    DaemonVictim(Path directory, Path share) throws ErrnoException, FrontendException {
        daemon = DaemonProcess.serving(directory, share, "--xattr");
        RamLayout layout =
                new RamLayout(List.of(new RamLayout.Range(0, SEAM), new RamLayout.Range(SEAM, RAM_END - SEAM)));
        frontend = daemon.connect(FrontendOptions.of(Manners.QEMU_11, RAM_END)
                .withRam(layout)
                .withoutFeatures(Features.INDIRECT_DESC));
        queues = new ArrayList<>(frontend.startQueues(QUEUE_SIZE));
        for (FrontendQueue queue : queues) {
            drivers.add(driver(queue));
        }
    }

    @Override
    public LyingDriver queue(int index) {
        return drivers.get(index);
    }

    @Override
    public boolean isGivenUp(int index) {
        return wait(queues.get(index).error(), PATIENCE) && queues.get(index).error().drain() > 0;
    }

    @Override
    public void restart(int index) {
        try {
            int base = frontend.stopQueue(index);
            queues.get(index).ring().releaseAvailIdx(base);
            queues.set(index, frontend.resumeQueue(index, base));
            drivers.set(index, driver(queues.get(index)));
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
        daemon.close();
    }

    private LyingDriver driver(FrontendQueue queue) {
        return new LyingDriver(queue.ring(), frontend.ram(), new Bells(queue), PATIENCE);
    }

    private record Bells(FrontendQueue queue) implements Doorbell {

        @Override
        public void kick() {
            queue.kick().signal();
        }

        @Override
        public boolean awaitCall(Duration limit) {
            return DaemonVictim.wait(queue.call(), limit) && queue.call().drain() > 0;
        }
    }

    private static boolean wait(EventFd event, Duration limit) {
        try {
            return DaemonProcess.SYS.poll(List.of(event.fd()), (int) limit.toMillis() + 1) != 0;
        } catch (ErrnoException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }
}
