package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import vitrine.memory.GuestMemory.Region;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.vhostuser.message.RingMessage.RingFd;

/// What a ring cannot be.
class RingLimitsTest {

    private final SettledLink rings = new SettledLink();

    @AfterEach
    void leave() {
        rings.close();
    }

    /// Polling a ring is not offered by any protocol feature; it is refused rather than half done.
    ///
    /// Seen to catch: Ring.settle without looking at `kick`.
    @Test
    void aRingWithoutAKickIsRefused() {
        rings.memory();
        rings.describe(0);
        rings.obeyed(new RingMessage.SetVringEnable(0, 1));

        rings.refused(new RingMessage.SetVringKick(new RingFd(0, Optional.empty())));

        assertEquals(List.of(), rings.device.told);
    }

    /// virtio 1.3, 2.7: sizes are powers of two up to 32768, the areas aligned to 16, 2 and 4,
    /// indexes have 16 bits.
    ///
    /// Seen to catch: no check of the size; an alignment of 2 for the used ring.
    @Test
    void whatNoSplitRingCanBeIsRefused() {
        for (int size : new int[] {0, 3, 100, 65536, -1, Integer.MIN_VALUE}) {
            rings.refused(new RingMessage.SetVringNum(0, size));
        }
        for (int size : new int[] {1, 2, 128, 32768}) {
            rings.obeyed(new RingMessage.SetVringNum(0, size));
        }
        rings.refused(addresses(8, 0x1000, 0x2000));
        rings.refused(addresses(0, 0x1000, 0x2002));
        rings.refused(addresses(0, 0x1001, 0x2000));
        rings.refused(new RingMessage.SetVringBase(0, 65536));
        rings.refused(new RingMessage.SetVringBase(0, -1));
        for (int index : new int[] {2, 255}) {
            rings.refused(new RingMessage.SetVringNum(index, 16));
            rings.refused(new RingMessage.SetVringKick(rings.fd(index)));
            rings.refused(new RingMessage.SetVringEnable(-index, 1));
        }
    }

    /// virtio 1.3, 2.8: a packed ring has any size up to 32768, and its driver area is aligned to
    /// 4. It stands at two entries, each in its lap, that it must have. What was said while rings
    /// were split is looked at again.
    ///
    /// Seen to catch: `Ring.setKind` not called; `requireBase` left out of `find`.
    @Test
    void whatNoPackedRingCanBeIsRefused() {
        rings.memory();
        rings.obeyed(new RingMessage.SetVringNum(0, 16));
        rings.obeyed(new RingMessage.SetVringBase(0, 100));
        rings.obeyed(new NegotiationMessage.SetFeatures(
                Features.PROTOCOL_FEATURES | Features.VERSION_1 | Features.RING_PACKED));
        rings.obeyed(addresses(0, 0x1000, 0x2000));
        rings.obeyed(new RingMessage.SetVringEnable(0, 1));
        rings.refused(new RingMessage.SetVringKick(rings.fd(0))); // entry 100 of 16

        rings.obeyed(new RingMessage.SetVringNum(0, 100));
        rings.refused(new RingMessage.SetVringNum(0, 0));
        rings.refused(new RingMessage.SetVringNum(0, 32769));
        rings.refused(addresses(0, 0x1002, 0x2000));
        rings.refused(new RingMessage.SetVringBase(0, 0x8000_8064));
        rings.obeyed(new RingMessage.SetVringBase(0, 0x8000_8000)); // and now it can be served

        assertEquals(List.of("start 0"), rings.device.told);
    }

    /// Where a region begins in its file is the front end's word. If it is an odd place, no index
    /// of a ring can be read in one go there, whatever the addresses.
    ///
    /// Seen to catch: no look at it in `Ring.area` (found by fuzzing: it ended the process).
    @Test
    void aRingInARegionAtAnOddPlaceOfItsFileIsRefused() {
        rings.obeyed(
                new MemoryMessage.AddMemReg(new Region(0, 0x4000, SettledLink.USER, 7), rings.link.memory(0x8000)));
        rings.describe(0);
        rings.obeyed(new RingMessage.SetVringEnable(0, 1));

        rings.refused(new RingMessage.SetVringKick(rings.fd(0)));

        assertEquals(List.of(), rings.device.told);
    }

    /// The ring's size, place and index are fixed while it is served.
    ///
    /// Seen to catch: Ring.setSize not looking whether it is served.
    @Test
    void aServedRingCannotChangeUnderTheDevice() {
        rings.serve(0);

        rings.refused(new RingMessage.SetVringNum(0, 32));
        rings.refused(new RingMessage.SetVringBase(0, 1));
        rings.refused(new RingMessage.SetVringAddr(Messages.addresses(0, SettledLink.USER + 0x4000)));
        rings.obeyed(new RingMessage.SetVringNum(0, 16));
        rings.obeyed(new RingMessage.SetVringAddr(Messages.addresses(0, SettledLink.USER)));

        assertEquals(List.of("start 0"), rings.device.told);
    }

    private static RingMessage addresses(long desc, long avail, long used) {
        long user = SettledLink.USER;
        return new RingMessage.SetVringAddr(new Payload.RingAddresses(0, 0, user + desc, user + used, user + avail, 0));
    }
}
