package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import vitrine.posix.Fd;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.wire.MalformedException;

/// A front end that lies. It may end its connection by that, but nothing else.
class HostileFrontendTest {

    /// Whatever the bytes: the back end ends well or with its own error, and gives everything back.
    ///
    /// Seen to catch: FrameStream.receive not closing the descriptors of a message that is none.
    @Property(tries = 150)
    void randomBytesEndTheConnectionAndLeaveNothingBehind(@ForAll @Size(max = 200) byte[] bytes) {
        Map<String, String> before = Host.handedOver();

        try (BackendLink link = new BackendLink(new RecordingDevice())) {
            link.sendRaw(bytes, bytes.length == 0 ? List.of() : List.of(link.eventFd(), link.memory(4096)));
            expectAnOrderlyEnd(link);
        }

        assertEquals(before, Host.handedOver());
    }

    /// Messages that are nearly right reach further: a byte changed here and there, in any order,
    /// again and again, with the wrong descriptors.
    ///
    /// Seen to catch: Ring.close without stopping the ring; ring index used before it is checked.
    @Property(tries = 100)
    void nearlyRightMessagesLeaveNothingBehind(@ForAll Random random) {
        Map<String, String> before = Host.handedOver();
        long mapped = Host.mapped();

        RecordingDevice device = new RecordingDevice();
        try (BackendLink link = new BackendLink(device)) {
            link.send(new NegotiationMessage.SetProtocolFeatures(Features.BACKEND_REQ));
            List<FrontendMessage> messages = Messages.reasonable(link);
            for (int i = 0; i < 60; i++) {
                Frame frame = messages.get(random.nextInt(messages.size())).toFrame(false);
                byte[] bytes = FramingTest.bytes(frame);
                mutate(bytes, random);
                List<Fd> fds = random.nextInt(20) == 0 ? List.of(link.eventFd()) : frame.fds();
                if (!link.sendRaw(bytes, fds)) {
                    break;
                }
            }
            expectAnOrderlyEnd(link);
        }

        assertEquals(before, Host.handedOver());
        assertEquals(mapped, Host.mapped());
        assertEquals(
                device.told.stream().filter(word -> word.startsWith("start")).count(),
                device.told.stream().filter(word -> word.startsWith("stop")).count());
    }

    /// Rarely the header, so that most messages get past it; often the payload.
    private static void mutate(byte[] bytes, Random random) {
        int header = 12;
        if (random.nextInt(30) == 0) {
            bytes[random.nextInt(header)] ^= (byte) (1 << random.nextInt(8));
        }
        while (bytes.length > header && random.nextInt(3) == 0) {
            int at = header + random.nextInt(bytes.length - header);
            bytes[at] = random.nextBoolean() ? (byte) (bytes[at] ^ 1 << random.nextInt(8)) : (byte) random.nextInt();
        }
    }

    private static void expectAnOrderlyEnd(BackendLink link) {
        Throwable end = link.leave();
        if (end != null) {
            assertInstanceOf(MalformedException.class, end);
        }
    }
}
