package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.FrontendRequest;
import vitrine.vhostuser.message.MessageHeader;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;

/// Messages as bytes and as values.
class MessageTest {

    @Provide
    Arbitrary<FrontendMessage> messages() {
        return Messages.any();
    }

    /// vhost-user, "Front-end message types": both ends read the same fields in the same order.
    ///
    /// Seen to catch: writing `used` and `avail` of SET_VRING_ADDR in the wrong order.
    @Property(tries = 500)
    void whatIsSentIsWhatIsUnderstood(@ForAll("messages") FrontendMessage sent) throws MalformedException {
        Frame frame = sent.toFrame(false);

        FrontendMessage understood = FrontendMessage.decode(frame);

        assertEquals(sent, understood);
        assertEquals(sent.payload().sizeInBytes(), frame.payload().size());
    }

    /// vhost-user, "Header": the size says how many bytes there are. A message whose payload is
    /// shorter or longer than its request has is none.
    ///
    /// Seen to catch: leaving out MessageReader.end's check of the bytes.
    @Property(tries = 500)
    void aByteTooManyOrTooFewIsNoMessage(
            @ForAll("messages") FrontendMessage message, @ForAll @IntRange(min = -8, max = 8) int more) {
        Buffers payload = message.toFrame(false).payload();
        int size = (int) payload.size() + more;
        if (more == 0 || size < 0) {
            return;
        }

        byte[] other = Arrays.copyOf(payload.toBytes(), size);
        Frame frame = new Frame(
                new MessageHeader(message.number(), MessageHeader.VERSION, size),
                Buffers.ofBytes(other),
                message.fds());

        assertThrows(MalformedException.class, () -> FrontendMessage.decode(frame));
    }

    /// A receiver that loses track of descriptors can be made to run out of them.
    ///
    /// Seen to catch: FrontendMessage.decode without closeFds in its catch.
    @Test
    void aWrongNumberOfDescriptorsIsNoMessageAndClosesThem() throws ErrnoException {
        try (BackendLink link = new BackendLink(new RecordingDevice())) {
            for (FrontendMessage message : Messages.reasonable(link)) {
                boolean tolerated = message.request() == FrontendRequest.REM_MEM_REG;
                for (int count = 0; count <= 3; count++) {
                    if (count == message.fds().size() || tolerated && count == 1) {
                        continue;
                    }
                    List<Fd> fds = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        fds.add(Host.SYS.eventfd());
                    }
                    Frame proper = message.toFrame(false);
                    Frame frame = new Frame(proper.header(), proper.payload(), fds);

                    assertThrows(MalformedException.class, () -> FrontendMessage.decode(frame), message::toString);

                    assertTrue(fds.stream().noneMatch(Fd::isOpen), message::toString);
                }
            }
        }
    }

    /// vhost-user, "Front-end message types": REM_MEM_REG may bring the descriptor once more.
    ///
    /// Seen to catch: RemMemReg.decode without dropOneFd.
    @Test
    void removingARegionToleratesItsDescriptorAndClosesIt() throws ErrnoException, MalformedException {
        try (BackendLink link = new BackendLink(new RecordingDevice())) {
            FrontendMessage remove = Messages.reasonable(link).getLast();
            Fd fd = Host.SYS.eventfd();
            Frame proper = remove.toFrame(false);

            FrontendMessage understood =
                    FrontendMessage.decode(new Frame(proper.header(), proper.payload(), List.of(fd)));

            assertEquals(remove, understood);
            assertFalse(fd.isOpen());
        }
    }
}
