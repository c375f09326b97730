package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import vitrine.memory.GuestMemory.Region;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.vhostuser.message.RingMessage.RingFd;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// A back end with which everything is settled, for tests of what comes then.
final class SettledLink implements AutoCloseable {

    /// Where the guest's memory is in the front end's process.
    static final long USER = 0x7000_0000_0000L;

    static final Region RAM = new Region(0, Messages.RAM, USER, 0);

    final RecordingDevice device;
    final BackendLink link;

    SettledLink() {
        this(new RecordingDevice(), 0);
    }

    /// @param more protocol features to be settled
    SettledLink(RecordingDevice device, long more) {
        this.device = device;
        link = new BackendLink(device);
        obeyed(new NegotiationMessage.SetProtocolFeatures(Features.REPLY_ACK | more));
        obeyed(new NegotiationMessage.SetFeatures(Features.PROTOCOL_FEATURES | Features.VERSION_1));
    }

    @Override
    public void close() {
        link.close();
    }

    /// Announces the memory.
    void memory() {
        obeyed(new MemoryMessage.AddMemReg(RAM, link.memory(Messages.RAM)));
    }

    /// Says how large a ring is, and where.
    void describe(int index) {
        obeyed(new RingMessage.SetVringNum(index, 16));
        obeyed(new RingMessage.SetVringAddr(Messages.addresses(index, USER + index * 0x4000L)));
    }

    /// Does all that it takes to have a ring served; ring 0 first.
    void serve(int index) {
        if (index == 0) {
            memory();
        }
        describe(index);
        obeyed(new RingMessage.SetVringKick(fd(index)));
        obeyed(new RingMessage.SetVringEnable(index, 1));
        assertTrue(device.told.contains("start " + index));
    }

    /// Stops a ring.
    Payload.RingState base(int index) {
        link.send(new RingMessage.GetVringBase(index, 0));
        WireReader payload = new WireReader(link.receive().payload());
        try {
            return Payload.RingState.decode(payload);
        } catch (MalformedException e) {
            throw new AssertionError(e);
        }
    }

    /// A ring, and a new eventfd for it.
    RingFd fd(int index) {
        return new RingFd(index, Optional.of(link.eventFd()));
    }

    void obeyed(FrontendMessage message) {
        assertTrue(link.tell(message), message::toString);
    }

    void refused(FrontendMessage message) {
        assertFalse(link.tell(message), message::toString);
    }
}
