package vitrine.guest;

import java.util.ArrayDeque;
import java.util.Deque;
import vitrine.guest.frontend.WindowMemory;
import vitrine.memory.GuestMemory;
import vitrine.memory.Mapper;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.vhostuser.message.WindowPayload;

/// The front end of a device that works on the caller's thread: it fills the window when it gets a
/// turn, which is when the queue has nothing else to do.
final class SteppedWindow implements Mapper {

    private final WindowMemory window;
    private final GuestMemory mapped;
    private final Deque<Order> orders = new ArrayDeque<>();
    private Runnable bell = () -> {};

    /// @param mapped the guest's memory as the device has it
    SteppedWindow(WindowMemory window, GuestMemory mapped) {
        this.window = window;
        this.mapped = mapped;
    }

    private static final class Order implements Change {
        private final WindowPayload.Piece piece;
        private final Fd file; // null: the piece is to go
        private boolean done;
        private int errno;

        Order(WindowPayload.Piece piece, Fd file) {
            this.piece = piece;
            this.file = file;
        }

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public int errno() {
            return errno;
        }
    }

    @Override
    public Change map(Fd file, long fileOffset, long offset, long length) {
        return give(
                new Order(new WindowPayload.Piece(0, fileOffset, offset, length, WindowPayload.Piece.WRITABLE), file));
    }

    @Override
    public Change unmap(long offset, long length) {
        return give(new Order(new WindowPayload.Piece(0, 0, offset, length, 0), null));
    }

    @Override
    public void listen(Runnable next) {
        bell = next;
    }

    /// Carries out what was ordered.
    ///
    /// @return whether there was anything
    boolean takeTurn() {
        boolean any = !orders.isEmpty();
        while (!orders.isEmpty()) {
            Order order = orders.remove();
            order.errno = carryOut(order);
            order.done = true;
        }
        if (any) {
            bell.run();
        }
        return any;
    }

    private int carryOut(Order order) {
        try {
            if (order.file == null) {
                mapped.remove(window.unmap(order.piece).region());
            } else {
                WindowMemory.Mapped piece = window.map(order.piece, order.file);
                mapped.add(piece.region(), piece.file());
            }
            return 0;
        } catch (ErrnoException e) {
            return e.errno();
        }
    }

    private Order give(Order order) {
        orders.add(order);
        return order;
    }
}
