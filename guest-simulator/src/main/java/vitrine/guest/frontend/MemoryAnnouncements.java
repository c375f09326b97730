package vitrine.guest.frontend;

import java.util.ArrayList;
import java.util.List;
import vitrine.memory.GuestMemory.Region;
import vitrine.posix.Fd;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.MemoryMessage;

/// What the back end is told of the guest's memory: region by region, or all of it in one table
/// each time where it does not know how else (vhost-user: "Memory region description").
final class MemoryAnnouncements {

    private final Conversation backend;
    private final boolean slots;
    private final List<Announced> regions = new ArrayList<>();
    private boolean begun;

    private record Announced(Region region, Fd fd) {}

    /// @param slots whether [vitrine.vhostuser.Features#CONFIGURE_MEM_SLOTS] was settled
    MemoryAnnouncements(Conversation backend, boolean slots) {
        this.backend = backend;
        this.slots = slots;
    }

    /// Tells what there is, once: it stays known while queues stop and start.
    void begin() throws FrontendException {
        if (begun) {
            return;
        }
        begun = true;
        if (slots) {
            for (Announced one : regions) {
                backend.tell(new MemoryMessage.AddMemReg(one.region, one.fd));
            }
        } else {
            tellTable();
        }
    }

    void add(Region region, Fd fd) throws FrontendException {
        regions.add(new Announced(region, fd));
        if (begun && slots) {
            backend.tell(new MemoryMessage.AddMemReg(region, fd));
        } else if (begun) {
            tellTable();
        }
    }

    void remove(Region region) throws FrontendException {
        regions.removeIf(one -> one.region.equals(region));
        if (begun && slots) {
            backend.tell(new MemoryMessage.RemMemReg(region));
        } else if (begun) {
            tellTable();
        }
    }

    /// More regions than the message has room for are not told at all; QEMU logs it, and goes on.
    private void tellTable() throws FrontendException {
        if (regions.size() <= FrameStream.MAX_FDS) {
            List<Region> all = regions.stream().map(Announced::region).toList();
            List<Fd> fds = regions.stream().map(Announced::fd).toList();
            backend.tell(new MemoryMessage.SetMemTable(all, fds));
        }
    }
}
