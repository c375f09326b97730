package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.memory.Mapper;
import vitrine.posix.Errno;
import vitrine.vhostuser.message.BackendMessage;

/// When a mapping is taken for one that the guest sees.
@Timeout(60)
class AnnouncementsTest {

    /// QEMU answers before the guest sees the piece, and announces it then; the two arrive on two
    /// sockets, in either order.
    ///
    /// Seen to catch: Announcements.isComplete always true.
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
}
