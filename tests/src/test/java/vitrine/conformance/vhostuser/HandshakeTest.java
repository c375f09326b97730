package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.ConfigMessage;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// What is agreed on before anything runs.
class HandshakeTest {

    /// Only what is done is offered: no migration of a device that cannot move (26, 1, 19), no
    /// in-flight tracking (12), no in-band
    /// kicks (14), which QEMU would accept without knowing them.
    @Test
    void onlyWhatIsDoneIsOffered() {
        try (BackendLink link = new BackendLink(new RecordingDevice())) {
            assertEquals(0x5_7000_0000L, link.ask(new NegotiationMessage.GetFeatures()));
            assertEquals(bits(0, 3, 5, 10, 13, 15), link.ask(new NegotiationMessage.GetProtocolFeatures()));
            assertEquals(2, link.ask(new NegotiationMessage.GetQueueNum()));
            assertEquals(509, link.ask(new MemoryMessage.GetMaxMemSlots()));
        }
    }

    /// Features nobody offered are refused: to nod would mean to do something else than agreed.
    ///
    /// Seen to catch: Backend.setFeatures, setProtocolFeatures without requireOffered.
    @Test
    void featuresThatWereNotOfferedAreRefused() {
        try (BackendLink link = new BackendLink(new RecordingDevice())) {
            assertTrue(link.tell(new NegotiationMessage.SetProtocolFeatures(Features.REPLY_ACK)));
            assertTrue(link.tell(new NegotiationMessage.SetFeatures(0x5_7000_0000L)));

            assertFalse(link.tell(new NegotiationMessage.SetFeatures(0x5_7000_0000L | bits(26))));
            assertFalse(link.tell(new NegotiationMessage.SetFeatures(bits(35))));
            assertFalse(link.tell(new NegotiationMessage.SetProtocolFeatures(Features.REPLY_ACK | bits(9))));
            assertFalse(link.tell(new NegotiationMessage.SetProtocolFeatures(Features.REPLY_ACK | bits(14))));
        }
    }

    /// virtio 1.3, 5.11.4, and vhost-user, `VHOST_USER_GET_CONFIG`: the answer has the shape of the
    /// question; a part that does not exist is answered with nothing.
    ///
    /// Seen to catch: adding offset and size as 32-bit numbers.
    @Test
    void theConfigurationIsAnsweredInAnyPartAndNotBeyond() throws MalformedException {
        byte[] config = new byte[40];
        for (int i = 0; i < config.length; i++) {
            config[i] = (byte) i;
        }
        try (BackendLink link = new BackendLink(new RecordingDevice(2, config))) {
            assertEquals(bits(0, 3, 5, 9, 10, 13, 15), link.ask(new NegotiationMessage.GetProtocolFeatures()));
            for (int[] part : new int[][] {{0, 40}, {0, 36}, {36, 4}, {39, 1}, {40, 0}, {0, 0}}) {
                Frame answer = ask(link, part[0], part[1]);
                Payload.Config got = Payload.Config.decode(new WireReader(answer.payload()));

                assertEquals(part[0], got.offset());
                assertArrayEquals(
                        Arrays.copyOfRange(config, part[0], part[0] + part[1]),
                        got.bytes().toBytes());
            }
            for (int[] part : new int[][] {{0, 41}, {40, 1}, {-1, 4}, {Integer.MIN_VALUE, 1}, {256, 256}}) {
                assertEquals(0, ask(link, part[0], part[1]).payload().size());
            }
        }
    }

    private static Frame ask(BackendLink link, int offset, int size) {
        link.send(new ConfigMessage.GetConfig(new Payload.Config(offset, 0, Buffers.ofBytes(new byte[size]))));
        return link.receive();
    }

    /// The socket for requests of the back end is kept as long as the connection, and another one
    /// takes its place.
    ///
    /// Seen to catch: Backend.close without closing it.
    @Test
    void theSecondSocketIsKeptAndClosedAtTheEnd() throws ErrnoException {
        Map<String, String> before = Host.handedOver();
        UnixSocket[] pair = UnixSocket.pair(Host.SYS);
        try (BackendLink link = new BackendLink(new RecordingDevice())) {
            long features = Features.REPLY_ACK | Features.BACKEND_REQ;
            assertTrue(link.tell(new NegotiationMessage.SetProtocolFeatures(features)));

            assertTrue(link.tell(new NegotiationMessage.SetBackendReqFd(pair[1].fd())));
            pair[1].close();
            assertFalse(isClosedByPeer(pair[0]));
            assertTrue(link.tell(new NegotiationMessage.SetBackendReqFd(link.eventFd())));

            assertTrue(isClosedByPeer(pair[0]));
        }
        pair[0].close();
        assertEquals(before, Host.handedOver());
    }

    private static boolean isClosedByPeer(UnixSocket socket) throws ErrnoException {
        return Host.SYS.poll(List.of(socket.fd()), 0) != 0;
    }

    /// A front end that leaves while its answer is on the way has left, not failed.
    ///
    /// Seen to catch: Backend.run letting EPIPE and ECONNRESET through.
    @Test
    void leavingWithAnswersUnreadIsAnOrderlyEnd() {
        for (int questions = 0; questions < 50; questions++) {
            BackendLink link = new BackendLink(new RecordingDevice());
            for (int i = 0; i < questions; i++) {
                link.sendRaw(FramingTest.bytes(new NegotiationMessage.GetFeatures().toFrame(false)), List.of());
            }
            assertNull(link.leave());
        }
    }

    /// At the end of a connection rings are stopped, memory unmapped, descriptors closed.
    ///
    /// Seen to catch: Ring.close without closing call and error; Backend.close without
    /// memory.close.
    @Test
    void nothingIsLeftOfAConnection() {
        Map<String, String> before = Host.handedOver();
        long mapped = Host.mapped();
        RecordingDevice device = new RecordingDevice();
        try (BackendLink link = new BackendLink(device)) {
            Messages.reasonable(link).stream()
                    .filter(message -> !(message instanceof RingMessage.GetVringBase))
                    .filter(message -> !(message instanceof NegotiationMessage.ResetDevice))
                    .forEach(link::send);
            link.send(new RingMessage.SetVringEnable(0, 1));
            Fd kick = link.eventFd();
            link.send(new RingMessage.SetVringKick(new RingMessage.RingFd(0, Optional.of(kick))));
            link.answersUntilNow();
            assertEquals(List.of("start 0", "stop 0", "start 0"), device.told);
            assertTrue(Host.mapped() > mapped);
        }

        assertEquals(List.of("start 0", "stop 0", "start 0", "stop 0"), device.told);
        assertEquals(before, Host.handedOver());
        assertEquals(mapped, Host.mapped());
    }

    private static long bits(int... numbers) {
        long bits = 0;
        for (int number : numbers) {
            bits |= 1L << number;
        }
        return bits;
    }
}
