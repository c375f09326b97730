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

    /// QEMU answers before the guest sees the piece, and announces it then; the two arrive on two
    /// sockets, in either order.
    ///
    /// Seen to catch: Order.isDone without `announced`.
    @Test
    void aMappingIsCompleteWhenItIsAnsweredAndAnnounced() {
        try (WindowLink front = WindowLink.running()) {
            Mapper.Change first = front.map(0);
            BackendMessage one = front.asked();
            front.answer(one, 0);
            front.assertNothingAsked();
            assertFalse(first.isDone(), "answered only");
            front.announce(one);
            assertEquals(0, WindowLink.result(first));

            Mapper.Change second = front.map(WindowLink.PIECE);
            BackendMessage two = front.asked();
            front.announce(two);
            assertFalse(second.isDone(), "announced only");
            front.answer(two, 0);
            assertEquals(0, WindowLink.result(second));
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

    /// QEMU stands still between its answer and the announcement, for as long as it likes: until
    /// then the guest would find zeros. Whether it has announced anything before, or not, it is
    /// asked something, once.
    ///
    /// Seen to catch: Announcements.wereOvertaken after a second instead of an answer; asking again
    /// while that is on its way.
    @Test
    void aFrontEndThatStandsStillIsWaitedFor() throws InterruptedException {
        try (WindowLink unknown = WindowLink.running();
                WindowLink known = WindowLink.running()) {
            known.map(0);
            BackendMessage before = known.asked();
            known.announce(before);
            known.answer(before, 0);
            List<WindowLink> fronts = List.of(unknown, known);
            List<Mapper.Change> changes = new ArrayList<>();
            List<BackendMessage> messages = new ArrayList<>();
            for (WindowLink front : fronts) {
                changes.add(front.map(WindowLink.PIECE));
                messages.add(front.asked());
                front.answer(messages.getLast(), 0);
            }
            for (int tenths = 0; tenths < 30; tenths++) {
                assertFalse(changes.get(0).isDone() || changes.get(1).isDone(), tenths + " tenths of a second");
                Thread.sleep(100);
            }
            for (int i = 0; i < 2; i++) {
                BackendMessage question = fronts.get(i).asked();
                fronts.get(i).assertNothingAsked();
                assertFalse(changes.get(i).isDone());

                fronts.get(i).announce(messages.get(i));
                assertEquals(0, WindowLink.result(changes.get(i)));
                fronts.get(i).answer(question, 1);
            }
        }
    }

    /// A front end that has its own way to make the piece seen, and announces nothing, goes on when
    /// it has answered. It is not waited for again and again.
    ///
    /// Seen to catch: askIfLate that asks nothing; wereOvertaken that leaves `announces`.
    @Test
    void whoAnnouncesNothingIsWaitedForOnce() {
        try (WindowLink front = WindowLink.running()) {
            Mapper.Change first = front.map(0);
            front.answer(front.asked(), 0);
            front.answerWhileOpen(first, 1);
            assertEquals(0, WindowLink.result(first));

            long start = System.nanoTime();
            Mapper.Change second = front.map(WindowLink.PIECE);
            front.answer(front.asked(), 0);
            assertEquals(0, WindowLink.result(second));
            assertTrue(System.nanoTime() - start < 500_000_000L, "waited once more");
        }
    }

    /// QEMU without memory slots tells of some pieces and not of others. What it answers next tells
    /// of those; it is waited for as before.
    ///
    /// Seen to catch: Announcements.wereOvertaken that forgets that something was announced.
    @Test
    void onePieceThatIsNotAnnouncedSaysNothingOfTheNext() {
        try (WindowLink front = WindowLink.running()) {
            front.map(0);
            BackendMessage message = front.asked();
            front.announce(message);
            front.answer(message, 0);
            Mapper.Change silent = front.map(WindowLink.PIECE);
            front.answer(front.asked(), 0);
            Mapper.Change next = front.map(2 * WindowLink.PIECE);
            BackendMessage last = front.asked();
            assertFalse(silent.isDone());

            front.answer(last, 0);

            assertEquals(0, WindowLink.result(silent));
            assertFalse(next.isDone());
            front.announce(last);
            assertEquals(0, WindowLink.result(next));
        }
    }

    /// A second socket that is given up before the announcement: nobody knows what the guest sees.
    ///
    /// Seen to catch: FrontendMapper.lose without `announcements.end`.
    @Test
    void whatWasAnsweredAndNotAnnouncedFailsWithTheSocket() {
        try (WindowLink front = WindowLink.running()) {
            Mapper.Change change = front.map(0);
            front.answer(front.asked(), 0);
            front.hangUp();
            assertEquals(Errno.EIO, WindowLink.result(change));
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
