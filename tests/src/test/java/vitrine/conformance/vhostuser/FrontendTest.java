package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.guest.driver.DriverQueue;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.IndirectTables;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.Manners;
import vitrine.guest.frontend.RamLayout;
import vitrine.posix.ErrnoException;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.Features;
import vitrine.virtqueue.SplitRing;

/// The front end against the back end: both as they are, over a socket, with real eventfds.
class FrontendTest {

    private static final long RAM = 4 << 20;

    /// The handshakes of two QEMUs and the start of all queues, with either way to announce memory.
    @ParameterizedTest
    @EnumSource
    void queuesStartAfterTheHandshakeOfEitherQemu(Manners manners) throws FrontendException, ErrnoException {
        for (long without : new long[] {0, Features.CONFIGURE_MEM_SLOTS, Features.REPLY_ACK, Features.BACKEND_REQ}) {
            RecordingDevice device = new RecordingDevice(3, new byte[] {'t', 'a', 'g', 0});
            FrontendOptions options = FrontendOptions.of(manners, RAM).withoutProtocolFeatures(without);
            try (Frontend frontend = connect(device, options)) {
                assertEquals(3, frontend.queueCount());
                assertArrayEquals(new byte[] {'a', 'g'}, frontend.config(1, 2));

                frontend.startQueues(128);
                frontend.stopQueue(2); // has an answer: all before has been obeyed

                assertEquals(List.of("start 0", "start 1", "start 2", "stop 2"), device.told);
            }
        }
    }

    /// A device is kicked and calls through the descriptors that were handed over.
    @Test
    void kicksAndCallsReachTheOtherSide() throws FrontendException, ErrnoException, BrokenDeviceException {
        RecordingDevice device = new RecordingDevice();
        try (Frontend frontend = connect(device, FrontendOptions.of(Manners.QEMU_11, RAM))) {
            FrontendQueue queue = frontend.startQueue(1, 16);
            DriverQueue<Integer> driver = driver(queue);

            request(frontend, driver, 7);
            queue.kick().signal();
            assertEquals(1, device.ring(1).kick().drain());
            device.serveOne(1);

            assertEquals(1, queue.call().drain());
            assertEquals(Optional.of(7), driver.poll().map(used -> used.token()));
            FrontendQueue exchanged = frontend.exchangeCall(queue);
            device.ring(1).call().signal();
            assertEquals(1, exchanged.call().drain());
            exchanged = frontend.exchangeKick(exchanged);
            exchanged.kick().signal();
            assertEquals(1, device.ring(1).kick().drain());
        }
    }

    /// vhost-user, `VHOST_USER_GET_VRING_BASE`: k requests were taken, so the ring goes on at k,
    /// and what was made available meanwhile is there. After a reset and with zeroed rings it is 0.
    ///
    /// Field report: virtiofsd ee50078.
    ///
    /// Seen to catch: Ring.pause not keeping what the device answered.
    @Test
    void aStoppedRingGoesOnWhereItWasAndAResetOneAtZero()
            throws FrontendException, ErrnoException, BrokenDeviceException {
        RecordingDevice device = new RecordingDevice();
        try (Frontend frontend = connect(device, FrontendOptions.of(Manners.QEMU_11, RAM))) {
            for (int life = 0; life < 2; life++) {
                DriverQueue<Integer> driver = driver(frontend.startQueue(1, 16));
                for (int k = 1; k <= 40; k++) {
                    request(frontend, driver, k);
                    if (k % 7 == 0) {
                        assertEquals(k - 1, frontend.stopQueue(1));
                        frontend.resumeQueue(1, k - 1);
                    }
                    device.serveOne(1);
                    assertEquals(Optional.of(k), driver.poll().map(used -> used.token()));
                }
                assertEquals(40, frontend.stopQueue(1));
                frontend.reset();
                assertEquals(0, frontend.stopQueue(1));
            }
        }
    }

    /// virtio 1.3, 2.7.10: without VIRTIO_F_EVENT_IDX a flag says that kicks are not wanted, with
    /// it the flag stays 0. The ring is made for what was settled, anew after each reset.
    ///
    /// Seen to catch: Rings.setFeatures always assuming the event index.
    @Test
    void theRingFollowsTheFeaturesThatWereSettled() throws FrontendException, ErrnoException {
        for (long without : new long[] {0, Features.EVENT_IDX}) {
            RecordingDevice device = new RecordingDevice();
            FrontendOptions options = FrontendOptions.of(Manners.QEMU_11, RAM).withoutFeatures(without);
            try (Frontend frontend = connect(device, options)) {
                FrontendQueue queue = frontend.startQueue(1, 16);

                device.ring(1).queue().refuseKicks();

                assertEquals(
                        without == 0 ? 0 : SplitRing.NO_NOTIFY,
                        queue.ring().split().usedFlags());
            }
        }
    }

    /// Memory that is plugged in while a queue runs is there for its requests, and can go again.
    @Test
    void memoryCanBePluggedWhileAQueueRuns() throws FrontendException, ErrnoException {
        for (long without : new long[] {0, Features.CONFIGURE_MEM_SLOTS}) {
            RecordingDevice device = new RecordingDevice();
            FrontendOptions options = FrontendOptions.of(Manners.QEMU_11, RAM).withoutProtocolFeatures(without);
            try (Frontend frontend = connect(device, options)) {
                frontend.startQueue(1, 16);

                GuestRam.Piece dimm = frontend.plug(new RamLayout.Range(1L << 32, 1 << 20));
                assertEquals(3, device.ring(1).memory().regions().size());
                frontend.unplug(dimm);

                assertEquals(2, device.ring(1).memory().regions().size());
            }
        }
    }

    /// A back end that says nothing is told from one that is slow by the clock, and the message
    /// names the question.
    @Test
    void aSilentBackEndIsNotWaitedForForEver() throws ErrnoException {
        Map<String, String> before = Host.handedOver();
        UnixSocket[] pair = UnixSocket.pair(Host.SYS);
        FrontendOptions options = FrontendOptions.of(Manners.QEMU_11, RAM).withPatience(Duration.ofMillis(50));

        FrontendException silence =
                assertThrows(FrontendException.class, () -> Frontend.connect(Host.SYS, pair[0], options));

        assertTrue(silence.getMessage().contains("GET_FEATURES"), silence::getMessage);
        pair[1].close();
        assertEquals(before, Host.handedOver());
    }

    private static Frontend connect(RecordingDevice device, FrontendOptions options)
            throws FrontendException, ErrnoException {
        return Frontend.connect(Host.SYS, new BackendLink(device).socket, options);
    }

    private static DriverQueue<Integer> driver(FrontendQueue queue) {
        return queue.ring().queue(IndirectTables.none(), new Random(1));
    }

    private static void request(Frontend frontend, DriverQueue<Integer> driver, int token) {
        long address = frontend.ram().reserve(64, 64);
        driver.add(List.of(new GuestRange(address, 64)), List.of(), token);
    }
}
