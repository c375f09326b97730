package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.MessageHeader;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.wire.Buffers;

/// Who is answered, and how often. QEMU waits for an answer for ever, and takes one that it does
/// not wait for to be the answer to its next question: one too few and one too many are both the
/// end.
class AcknowledgementTest {

    private static final int LAST_NUMBER = 60;
    private static final int ANSWER = 5; // version 1, reply: QEMU takes no other flags

    /// Requests with an answer of their own, by number (vhost-user: "Communication").
    private static final Set<Integer> OWN_ANSWER = Set.of(1, 11, 15, 17, 24, 36, 42, 43, 44);

    /// Those that are known, and cannot be obeyed here.
    private static final Set<Integer> REFUSED = Set.of(6, 25, 38);

    /// vhost-user, `VHOST_USER_PROTOCOL_F_REPLY_ACK`: with need_reply each message is answered,
    /// once; one that cannot be handled with non-zero. Without it only those that have their own
    /// answer.
    ///
    /// Seen to catch: acknowledging a request that was answered already; not answering unknown
    /// ones.
    @Test
    void everyRequestIsAnsweredExactlyAsOftenAsTheFrontEndWaits() {
        for (boolean settled : List.of(true, false)) {
            for (int number = 0; number <= LAST_NUMBER; number++) {
                for (boolean needReply : List.of(true, false)) {
                    check(number, needReply, settled);
                }
            }
        }
    }

    private static void check(int number, boolean needReply, boolean settled) {
        String which = "request %d, need_reply %s, REPLY_ACK %s".formatted(number, needReply, settled);
        try (BackendLink link = new BackendLink(new RecordingDevice())) {
            long features = settled ? Features.REPLY_ACK | Features.BACKEND_REQ : 0;
            link.send(new NegotiationMessage.SetProtocolFeatures(features));
            Frame frame = frame(link, number, needReply);
            link.sendRaw(FramingTest.bytes(frame), frame.fds());

            List<Frame> answers = link.answersUntilNow();

            // SET_PROTOCOL_FEATURES settles REPLY_ACK itself, in this test's message
            boolean acknowledged = needReply && (settled || number == 16);
            boolean answered = OWN_ANSWER.contains(number) || acknowledged;
            assertEquals(answered ? 1 : 0, answers.size(), which);
            for (Frame answer : answers) {
                assertEquals(number, answer.header().request(), which);
                assertEquals(ANSWER, answer.header().flags(), which);
            }
            if (acknowledged && !OWN_ANSWER.contains(number)) {
                boolean known = known(link).containsKey(number) && !REFUSED.contains(number);
                assertEquals(known, link.number(answers.getFirst()) == 0, which);
            }
        }
    }

    /// A known request with its proper payload, any other with none.
    private static Frame frame(BackendLink link, int number, boolean needReply) {
        FrontendMessage message = known(link).get(number);
        if (message != null) {
            return message.toFrame(needReply);
        }
        int flags = MessageHeader.VERSION | (needReply ? MessageHeader.NEED_REPLY : 0);
        return new Frame(new MessageHeader(number, flags, 0), Buffers.EMPTY, List.of());
    }

    private static Map<Integer, FrontendMessage> known(BackendLink link) {
        Map<Integer, FrontendMessage> known = new HashMap<>();
        Messages.reasonable(link).forEach(message -> known.put(message.number(), message));
        return known;
    }

    /// An unknown request of any size, with descriptors, is skipped: the next one is understood,
    /// and nothing stays open.
    ///
    /// Seen to catch: FrontendMessage.decode not closing the descriptors of an unknown message.
    @Test
    void anUnknownRequestIsSkippedWithAllThatCameAlong() {
        Map<String, String> before = Host.handedOver();
        try (BackendLink link = new BackendLink(new RecordingDevice())) {
            byte[] payload = new byte[777];
            MessageHeader header = new MessageHeader(55, MessageHeader.VERSION, payload.length);
            Frame unknown = new Frame(header, Buffers.ofBytes(payload), List.of(link.eventFd(), link.memory(4096)));

            for (int i = 0; i < 20; i++) {
                link.sendRaw(FramingTest.bytes(unknown), unknown.fds());
            }

            assertTrue(link.answersUntilNow().isEmpty());
            // two sockets and the test's own two descriptors, and no more
            assertEquals(before.size() + 4, Host.handedOver().size());
        }
        assertEquals(before, Host.handedOver());
    }
}
