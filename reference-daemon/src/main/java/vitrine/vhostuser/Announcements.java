package vitrine.vhostuser;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import vitrine.memory.GuestMemory.Region;
import vitrine.posix.FileStatus;

/// What is in the window, and of what the front end has said so.
///
/// A mapping that is answered and not announced is one that the guest may not see yet. QEMU
/// announces each; there may be front ends that announce nothing. What tells these from one that is
/// slow is the order of things: who answers a message is done with the one before. So what has not
/// been announced by the next answer will not be.
///
/// Guarded by the [FrontendMapper].
final class Announcements {

    private final Map<Long, WindowOrder> pieces = new HashMap<>(); // by offset
    private boolean hasAnnounced;
    private boolean announces = true; // until the contrary is seen

    /// A message is out that puts a piece into the window.
    void put(WindowOrder order) {
        pieces.put(order.message.piece().offset(), order);
    }

    /// A piece has been taken out of the window.
    ///
    /// @param order what was told to the front end
    void takeOut(WindowOrder order) {
        WindowOrder there = pieces.get(order.message.piece().offset());
        if (there != null
                && there.message.piece().length() == order.message.piece().length()) {
            pieces.remove(order.message.piece().offset());
        }
    }

    /// Whether the front end has told, of this piece, or is not going to tell of any.
    boolean isComplete(WindowOrder order) {
        return order.announced || !announces;
    }

    /// Whether a region that is announced is one of the pieces in the window.
    boolean isPiece(FileStatus file, Region region) {
        List<WindowOrder> shown = pieces.values().stream()
                .filter(order -> order.shows(file, region))
                .toList();
        shown.stream().filter(order -> !order.seen).findFirst().ifPresent(order -> order.seen = true);
        hasAnnounced |= !shown.isEmpty();
        announces |= hasAnnounced;
        return !shown.isEmpty();
    }

    /// The front end knows that what it announced was heard.
    void wereHeard() {
        for (WindowOrder order : pieces.values()) {
            order.announced = order.seen;
            if (order.announced && order.answered && order.isOpen()) {
                order.end(0);
            }
        }
    }

    /// The front end answers a message, and so is done with all before it.
    void wereOvertaken() {
        for (WindowOrder order : pieces.values()) {
            if (order.answered && !order.seen && order.isOpen()) {
                announces = hasAnnounced;
                order.end(0);
            }
        }
    }

    /// Nothing is going to be announced any more.
    ///
    /// @param errno for what waits for it
    void end(int errno) {
        pieces.values().stream().filter(WindowOrder::isOpen).forEach(order -> order.end(errno));
    }
}
