package vitrine.vhostuser;

import java.util.List;
import java.util.Optional;
import vitrine.memory.GuestMemory;
import vitrine.memory.GuestMemory.Region;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.Payload;

/// The guest's memory: obeys the messages that change it.
///
/// Rings may be served meanwhile. A ring that lies in memory that goes is paused first, and goes
/// on if the memory is there again afterwards. Buffers of requests are protected by
/// [GuestMemory#enter]: memory goes only when nobody is inside.
final class MemoryTable {

    /// How many regions there can be at once. QEMU never has more than 509 memory slots, and the
    /// number must never shrink.
    static final int MAX_REGIONS = 509;

    private final GuestMemory memory;
    private final Rings rings;

    MemoryTable(GuestMemory memory, Rings rings) {
        this.memory = memory;
        this.rings = rings;
    }

    /// Does what the message says.
    ///
    /// @return the message's own answer, if it has one
    Optional<Payload> obey(MemoryMessage message) throws RefusedException {
        try {
            switch (message) {
                case MemoryMessage.GetMaxMemSlots _ -> {
                    return Optional.of(new Payload.Number(MAX_REGIONS));
                }
                case MemoryMessage.SetMemTable table -> {
                    List<Region> leaving = memory.leaving(table.regions(), table.fds());
                    rings.pause(ring -> leaving.stream().anyMatch(ring::touches));
                    memory.replace(table.regions(), table.fds());
                }
                case MemoryMessage.AddMemReg add -> add(add.region(), add.fd());
                case MemoryMessage.RemMemReg remove -> {
                    rings.pause(ring -> ring.touches(remove.region()));
                    memory.remove(remove.region());
                }
            }
            return Optional.empty();
        } catch (ErrnoException e) {
            throw new RefusedException(message.request() + ": " + e.getMessage());
        } finally {
            message.closeFds(); // what is mapped stays mapped
            rings.settle();
        }
    }

    private void add(Region region, Fd fd) throws RefusedException, ErrnoException {
        if (memory.regions().size() >= MAX_REGIONS) {
            throw new RefusedException("more than " + MAX_REGIONS + " memory regions");
        }
        memory.add(region, fd);
    }
}
