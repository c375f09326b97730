package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.memory.Mapper;
import vitrine.posix.Errno;
import vitrine.posix.Fd;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.BackendMessage;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.RingMessage;

/// What the back end orders on the second socket, and when it takes an order for carried out.
@Timeout(60)
class WindowOrdersTest {

    /// vhost-user, `VHOST_USER_GET_SHMEM_CONFIG`: who did not agree on windows has none.
    ///
    /// Seen to catch: Backend.offerWindow without its first line.
    @Test
    void aWindowIsThereForWhoAgreedOnItAndCanBeAsked() {
        try (SettledLink without = new SettledLink(RecordingDevice.withWindow(WindowLink.WINDOW), 0)) {
            assertTrue((without.link.ask(new NegotiationMessage.GetProtocolFeatures()) & Features.SHMEM) != 0);
            assertEquals(0, WindowLink.askForWindow(without.link));
            assertNull(without.device.window);
        }
        try (SettledLink deaf = new SettledLink(RecordingDevice.withWindow(WindowLink.WINDOW), Features.SHMEM)) {
            assertEquals(0, WindowLink.askForWindow(deaf.link), "no second socket");
        }
        try (WindowLink with = new WindowLink()) {
            assertTrue(with.rings.device.window != null);
        }
    }

    /// Seen to catch: taking every answer for yes.
    @Test
    void aRefusalAndASilentEndAreErrors() {
        try (WindowLink front = WindowLink.running()) {
            Mapper.Change refused = front.map(0);
            front.answer(front.asked(), 1);
            assertEquals(Errno.EIO, WindowLink.result(refused));

            Mapper.Change lost = front.map(0);
            front.asked();
            front.hangUp();
            assertEquals(Errno.EIO, WindowLink.result(lost));
            assertEquals(Errno.ENODEV, WindowLink.result(front.map(0)));
        }
    }

    /// An order that waits for its answer holds nobody up: rings stop and memory goes meanwhile.
    /// QEMU's one thread waits for these and could not answer.
    ///
    /// Seen to catch: FrontendMapper.map waiting for the answer (the test's time is up).
    @Test
    void bothSocketsAreServedWhileAnOrderWaits() {
        try (WindowLink front = WindowLink.running()) {
            Mapper.Change change = front.map(0);
            BackendMessage message = front.asked();

            front.announce(message);
            front.rings.obeyed(new MemoryMessage.RemMemReg(WindowLink.region(message)));
            front.disable(1);
            front.rings.base(1);

            assertFalse(change.isDone());
            front.answer(message, 0);
            assertEquals(0, WindowLink.result(change));
        }
    }

    /// QEMU 11 ends with a segmentation fault if it finds a message while its device is not
    /// started.
    ///
    /// Seen to catch: FrontendMapper.send without `running`; Ring.isHeldBack without `stopped` (a
    /// ring that is stopped without having been disabled).
    @Test
    void nothingIsAskedUnlessAllRingsRun() {
        try (WindowLink front = new WindowLink()) {
            front.map(0);
            front.assertNothingAsked();
            front.rings.serve(0);
            front.asked(); // ring 1 was never started: a guest need not use all
        }
        try (WindowLink front = WindowLink.running()) {
            front.disable(0);
            Mapper.Change held = front.map(0);
            front.assertNothingAsked();
            assertFalse(held.isDone());
            front.enable(0);
            front.asked();

            front.rings.base(1);
            front.rings.obeyed(new RingMessage.SetVringCall(front.rings.fd(0)));
            front.map(WindowLink.PIECE);
            front.assertNothingAsked();
        }
    }

    /// A queue finishes the request it is at before it stops, and that one may order something.
    ///
    /// Seen to catch: Backend.obey without its first `stop`; without its second.
    @Test
    void whatIsOrderedWhileARingStopsFails() {
        try (WindowLink front = WindowLink.running()) {
            AtomicReference<Mapper.Change> last = new AtomicReference<>();
            front.rings.device.whileStopping = () -> last.set(front.map(0));

            front.disable(0);

            front.assertNothingAsked();
            assertEquals(Errno.EAGAIN, WindowLink.result(last.get()));
        }
    }

    /// Whoever waits for a message that was not sent would wait for ever.
    ///
    /// Seen to catch: FrontendMapper.stop that only notes it.
    @Test
    void whatIsHeldWhenTheRingsStopFails() throws InterruptedException {
        try (WindowLink front = WindowLink.running()) {
            front.disable(0);
            CountDownLatch bell = new CountDownLatch(1);
            front.rings.device.window.listen(bell::countDown);
            Mapper.Change held = front.map(0);

            front.disable(1);

            assertTrue(bell.await(10, TimeUnit.SECONDS));
            assertEquals(Errno.EAGAIN, WindowLink.result(held));
        }
    }

    /// More at once could fill the socket, and sending would wait.
    ///
    /// Seen to catch: FrontendMapper.send without MOST_SENT.
    @Test
    void atMostThirtyTwoAreOnTheirWay() {
        try (WindowLink front = WindowLink.running()) {
            List<Mapper.Change> changes = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                changes.add(front.rings.device.window.unmap(i * WindowLink.PIECE, WindowLink.PIECE));
            }
            List<BackendMessage> asked = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                asked.add(front.asked());
            }
            front.assertNothingAsked();

            asked.forEach(message -> front.answer(message, 0));
            for (int i = 32; i < 40; i++) {
                assertInstanceOf(BackendMessage.Unmap.class, front.asked());
            }
            assertEquals(0, WindowLink.result(changes.getFirst()));
        }
    }

    /// Files of orders, sent or not, and the second socket: nothing stays open.
    ///
    /// Seen to catch: send and fail without closing the message's files.
    @Test
    void nothingStaysOpen() {
        Map<String, String> before = Host.handedOver();
        try (WindowLink front = WindowLink.running()) {
            Fd file = front.rings.link.memory(WindowLink.PIECE);
            front.map(file, 0);
            front.disable(0);
            front.map(file, WindowLink.PIECE);
            front.rings.obeyed(new RingMessage.SetVringEnable(0, 0));
        }
        assertEquals(before, Host.handedOver());
    }
}
