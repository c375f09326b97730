package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.MessageHeader;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireWriter;

/// From a stream of bytes to messages.
class FramingTest {

    @Provide
    Arbitrary<FrontendMessage> messages() {
        return Messages.any();
    }

    /// A stream socket knows no messages: a receive may end anywhere. `man 7 unix`: descriptors
    /// come with the first byte of what they were sent with.
    ///
    /// Seen to catch: receiving the header in one go and believing that it is complete.
    @Property(tries = 100)
    void messagesAreTheSameWhereverTheStreamIsCut(
            @ForAll @Size(min = 1, max = 5) List<@From("messages") FrontendMessage> messages, @ForAll Random cuts)
            throws ErrnoException, MalformedException {
        UnixSocket[] pair = UnixSocket.pair(Host.SYS);
        try (UnixSocket out = pair[0];
                FrameStream in = new FrameStream(pair[1]);
                Fd fd = Host.SYS.eventfd()) {
            Thread writer = Thread.ofPlatform().start(() -> dribble(out, messages, fd, cuts));

            List<Frame> received = new ArrayList<>();
            for (FrontendMessage _ : messages) {
                received.add(in.receive().orElseThrow());
            }

            assertEquals(
                    messages.stream()
                            .map(message -> message.toFrame(false).payload())
                            .toList(),
                    received.stream().map(Frame::payload).toList());
            assertEquals(
                    messages.stream().map(message -> message.fds().size()).toList(),
                    received.stream().map(frame -> frame.fds().size()).toList());
            received.forEach(Frame::closeFds);
            join(writer);
        }
    }

    /// Whoever leaves between two messages leaves well, whoever leaves inside one does not.
    ///
    /// Seen to catch: FrameStream.fill answering "end" at any place.
    @Test
    void leavingInTheMiddleOfAMessageIsAnError() {
        byte[] bytes = bytes(new NegotiationMessage.SetFeatures(1L << 30).toFrame(false));
        for (int sent = 0; sent <= bytes.length; sent++) {
            BackendLink link = new BackendLink(new RecordingDevice());
            assertTrue(link.sendRaw(Arrays.copyOf(bytes, sent), List.of()));

            Throwable end = link.leave();

            if (sent == 0 || sent == bytes.length) {
                assertNull(end, "after " + sent + " bytes");
            } else {
                assertInstanceOf(MalformedException.class, end, "after " + sent + " bytes");
            }
        }
    }

    /// A header that cannot be true ends the connection at once, before anything is allocated or
    /// waited for.
    ///
    /// Seen to catch: FrameStream without the limit on the size; an answer taken for a request.
    @Test
    void aHeaderThatLiesEndsTheConnection() {
        List<MessageHeader> lies = List.of(
                new MessageHeader(1, MessageHeader.VERSION, FrameStream.MAX_PAYLOAD + 1),
                new MessageHeader(1, MessageHeader.VERSION, Integer.MAX_VALUE),
                new MessageHeader(1, MessageHeader.VERSION, -1),
                new MessageHeader(1, 0, 0),
                new MessageHeader(1, 2, 0),
                new MessageHeader(1, MessageHeader.VERSION | MessageHeader.REPLY, 0));
        for (MessageHeader lie : lies) {
            try (BackendLink link = new BackendLink(new RecordingDevice())) {
                link.sendRaw(bytes(new Frame(lie, Buffers.EMPTY, List.of())), List.of());

                Throwable end = link.ending();

                assertInstanceOf(MalformedException.class, end, lie::toString);
            }
        }
    }

    /// The answer to a front end that is silent in the middle of a message, for ends with patience.
    @Test
    void silenceIsATimeoutForAnEndThatDoesNotWaitForEver() throws ErrnoException {
        UnixSocket[] pair = UnixSocket.pair(Host.SYS);
        try (UnixSocket _ = pair[0];
                FrameStream in = new FrameStream(pair[1], Host.SYS, Duration.ofMillis(50))) {
            ErrnoException silence = assertThrows(ErrnoException.class, in::receive);

            assertEquals(Errno.ETIMEDOUT, silence.errno());
        }
    }

    static byte[] bytes(Frame frame) {
        Buffers header = Buffers.ofBytes(new byte[MessageHeader.BYTES]);
        frame.header().encode(new WireWriter(header));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(header.toBytes());
        bytes.writeBytes(frame.payload().toBytes());
        return bytes.toByteArray();
    }

    /// Sends the messages in pieces of random size, the real descriptor standing for all.
    private static void dribble(UnixSocket out, List<FrontendMessage> messages, Fd fd, Random cuts) {
        try (Arena arena = Arena.ofConfined()) {
            for (FrontendMessage message : messages) {
                byte[] bytes = bytes(message.toFrame(false));
                MemorySegment copy = arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
                List<Fd> fds = message.fds().stream().map(_ -> fd).toList();
                for (int from = 0; from < bytes.length; ) {
                    int length = Math.min(bytes.length - from, 1 + cuts.nextInt(20));
                    out.send(copy.asSlice(from, length), from == 0 ? fds : List.of());
                    from += length;
                }
            }
        } catch (ErrnoException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
