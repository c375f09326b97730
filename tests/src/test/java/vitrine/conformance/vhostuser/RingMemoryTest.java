package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import vitrine.memory.GuestMemory.Region;
import vitrine.posix.Fd;
import vitrine.vhostuser.message.BackendMessage;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;

/// Memory that comes, goes, or is not there, and the rings that lie in it.
class RingMemoryTest {

    private final SettledLink rings = new SettledLink();

    @AfterEach
    void leave() {
        rings.close();
    }

    /// The areas must lie in one region each, to their last byte.
    ///
    /// Seen to catch: looking up only the first byte of an area.
    @Test
    void aRingThatReachesOutOfMemoryIsNotServed() {
        rings.memory();
        rings.obeyed(new RingMessage.SetVringNum(0, 16));
        long used = SettledLink.USER + Messages.RAM - 128; // 4 + 8 * 16 + 2 bytes are needed
        rings.obeyed(new RingMessage.SetVringAddr(
                new Payload.RingAddresses(0, 0, SettledLink.USER, used, SettledLink.USER + 0x1000, 0)));
        rings.obeyed(new RingMessage.SetVringKick(rings.fd(0)));

        rings.refused(new RingMessage.SetVringEnable(0, 1));

        assertEquals(List.of(), rings.device.told);
    }

    /// Addresses may be said before the memory is there.
    ///
    /// Field report: virtme-ng #334.
    ///
    /// Seen to catch: MemoryTable.obey without rings.settle.
    @Test
    void aRingWaitsForMemoryThatComesLater() {
        rings.describe(0);
        rings.obeyed(new RingMessage.SetVringKick(rings.fd(0)));
        rings.refused(new RingMessage.SetVringEnable(0, 1));

        rings.memory();

        assertEquals(List.of("start 0"), rings.device.told);
    }

    /// A ring must not point into memory that is gone, and another ring need not suffer.
    ///
    /// Seen to catch: MemoryTable removing a region without pausing.
    @Test
    void aRingWhoseMemoryGoesIsStoppedFirstAndComesBackWithIt() {
        Region other = new Region(Messages.RAM, Messages.RAM, SettledLink.USER + Messages.RAM, 0);
        Fd otherFd = rings.link.memory(Messages.RAM);
        rings.serve(0);
        rings.obeyed(new MemoryMessage.AddMemReg(other, otherFd));
        rings.obeyed(new RingMessage.SetVringNum(1, 16));
        rings.obeyed(new RingMessage.SetVringAddr(Messages.addresses(1, other.userAddress())));
        rings.obeyed(new RingMessage.SetVringKick(rings.fd(1)));
        rings.obeyed(new RingMessage.SetVringEnable(1, 1));
        rings.device.told.clear();

        rings.obeyed(new MemoryMessage.RemMemReg(other));
        assertEquals(List.of("stop 1"), rings.device.told);
        rings.device.ring(0).queue().askForKick(); // reads its ring: still there
        rings.obeyed(new MemoryMessage.AddMemReg(other, otherFd));

        assertEquals(List.of("stop 1", "start 1"), rings.device.told);
    }

    /// SET_MEM_TABLE replaces all memory, under rings that are served too.
    ///
    /// Seen to catch: MemoryTable replacing the memory without pausing.
    @Test
    void aNewMemoryTableIsTakenWhileRingsAreServed() {
        rings.serve(0);
        rings.obeyed(new MemoryMessage.SetMemTable(List.of(SettledLink.RAM), List.of(rings.link.memory(Messages.RAM))));
        assertEquals(List.of("start 0", "stop 0", "start 0"), rings.device.told);

        rings.obeyed(new MemoryMessage.SetMemTable(List.of(), List.of()));

        assertEquals(List.of("start 0", "stop 0", "start 0", "stop 0"), rings.device.told);
    }

    /// A front end that announces a piece of the DAX window by a new table, because it has nothing
    /// else, must not stop the very queue that waits for it.
    ///
    /// Seen to catch: MemoryTable pausing all rings for a new table.
    @Test
    void aTableThatKeepsARegionStopsNoRingInIt() {
        Fd ram = rings.link.memory(Messages.RAM);
        Region piece = new Region(1L << 32, 4096, 1L << 40, 0);
        Fd file = rings.link.memory(4096);
        rings.obeyed(new MemoryMessage.SetMemTable(List.of(SettledLink.RAM), List.of(ram)));
        rings.describe(0);
        rings.obeyed(new RingMessage.SetVringKick(rings.fd(0)));
        rings.obeyed(new RingMessage.SetVringEnable(0, 1));

        rings.obeyed(new MemoryMessage.SetMemTable(List.of(SettledLink.RAM, piece), List.of(ram, file)));
        rings.device.ring(0).queue().askForKick(); // reads its ring: still there
        rings.obeyed(new MemoryMessage.SetMemTable(List.of(SettledLink.RAM), List.of(ram)));
        rings.device.ring(0).queue().askForKick();

        assertEquals(List.of("start 0"), rings.device.told);
    }

    /// A region larger than its file would be SIGBUS, overlapping ones ambiguous, one that is not
    /// there cannot go. The memory that was there stays.
    ///
    /// Seen to catch: MemoryTable swallowing what GuestMemory says.
    @Test
    void impossibleMemoryIsRefusedAndChangesNothing() {
        rings.memory();
        Fd fd = rings.link.memory(Messages.RAM);

        rings.refused(new MemoryMessage.AddMemReg(SettledLink.RAM, fd));
        rings.refused(new MemoryMessage.AddMemReg(new Region(1L << 40, 1L << 30, 1L << 50, 0), fd));
        rings.refused(new MemoryMessage.AddMemReg(new Region(-4096, 8192, 1L << 50, 0), fd));
        rings.refused(new MemoryMessage.AddMemReg(new Region(1L << 40, 4096, 1L << 50, 0), rings.link.eventFd()));
        rings.refused(new MemoryMessage.SetMemTable(List.of(SettledLink.RAM, SettledLink.RAM), List.of(fd, fd)));
        rings.refused(new MemoryMessage.RemMemReg(new Region(0, Messages.RAM, SettledLink.USER + 4096, 0)));

        rings.describe(0);
        rings.obeyed(new RingMessage.SetVringKick(rings.fd(0)));
        rings.obeyed(new RingMessage.SetVringEnable(0, 1));
        assertEquals(List.of("start 0"), rings.device.told);
    }

    /// A file of the share may be shortened at any time: nothing that Java touches may lie there.
    ///
    /// Seen to catch: Ring.area without looking whether the memory can be touched.
    @Test
    void aRingInTheWindowIsNotServed() {
        try (WindowLink front = new WindowLink()) {
            front.rings.serve(0);
            front.map(0);
            BackendMessage mapped = front.asked();
            front.announce(mapped);
            long userAddress = WindowLink.region(mapped).userAddress();

            front.rings.obeyed(new RingMessage.SetVringNum(1, 16));
            front.rings.obeyed(new RingMessage.SetVringAddr(Messages.addresses(1, userAddress)));
            front.rings.obeyed(new RingMessage.SetVringKick(front.rings.fd(1)));
            front.rings.refused(new RingMessage.SetVringEnable(1, 1));

            assertEquals(List.of("start 0"), front.rings.device.told);
        }
    }
}
