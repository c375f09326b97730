package vitrine.vhostuser;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import vitrine.memory.GuestMemory.Region;
import vitrine.memory.Mapper;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.vhostuser.message.BackendMessage;
import vitrine.vhostuser.message.WindowPayload;
import vitrine.wire.MalformedException;

/// Has the front end fill the window: orders go out on the second socket, answers come back on it,
/// and then the new memory is announced on the first one.
///
/// ```
///  map ──► held ──► sent ──► answered ──► announced ──► done
///            │                  └ not 0 ► done, EIO
///            └ the rings stop ──────────► done, EAGAIN
/// ```
///
/// An answer of 0 does not mean yet that the guest sees the piece: QEMU answers first and changes
/// the guest's address space then. It tells its devices by ADD_MEM_REG or SET_MEM_TABLE, and until
/// that is acknowledged the guest finds zeros in the place. So a mapping is complete when both are
/// done, in either order, for the two sockets have a thread each. A front end that announces
/// nothing is waited for once, and not again.
///
/// While the rings do not run, nothing is sent: QEMU 11 ends with a segmentation fault if it finds
/// such a message then. One that was on its way when the rings stopped cannot be called back.
final class FrontendMapper implements Mapper, AutoCloseable {

    /// How many messages may be on their way, so that sending one never waits: the socket has room
    /// for more than that.
    private static final int MOST_SENT = 32;

    /// How long an announcement may take after the answer, in nanoseconds.
    private static final long PATIENCE = 1_000_000_000L;

    private static final System.Logger LOG = System.getLogger("vitrine.vhostuser");

    private final Syscalls sys;
    private final Deque<Order> held = new ArrayDeque<>();
    private final Deque<Order> sent = new ArrayDeque<>();
    private final Map<Long, Order> pieces = new HashMap<>(); // what is in the window, by offset
    private BackendChannel channel; // null: there is none, or not any more
    private Thread listener; // null: nothing was sent yet
    private boolean running;
    private volatile Runnable bell = () -> {};
    private volatile boolean announces = true; // until the contrary is seen
    private volatile boolean hasAnnounced;

    FrontendMapper(Syscalls sys) {
        this.sys = sys;
    }

    /// What was ordered. Its file is closed when the message is out.
    private final class Order implements Change {
        private final BackendMessage message;
        private final FileStatus file; // null: nothing is mapped
        private Order emptied; // by an unmapping: what it takes away
        private boolean seen; // the memory message has come, and is being obeyed
        private volatile boolean announced;
        private volatile boolean answered;
        private volatile int errno;
        private volatile long answeredAt; // System.nanoTime

        Order(BackendMessage message, FileStatus file) {
            this.message = message;
            this.file = file;
        }

        @Override
        public boolean isDone() {
            return answered && (errno != 0 || file == null || announced || isTooLateToBeAnnounced());
        }

        @Override
        public int errno() {
            return errno;
        }

        private boolean isTooLateToBeAnnounced() {
            if (announces && System.nanoTime() - answeredAt > PATIENCE) {
                announces = hasAnnounced;
                return true;
            }
            return !announces;
        }

        void end(int result) {
            errno = result;
            answeredAt = System.nanoTime();
            answered = true;
        }

        boolean shows(FileStatus other, Region region) {
            return file != null
                    && file.ino() == other.ino()
                    && file.dev() == other.dev()
                    && message.piece().fileOffset() == region.fileOffset()
                    && message.piece().length() == region.size();
        }
    }

    @Override
    public Change map(Fd file, long fileOffset, long offset, long length) {
        var piece = new WindowPayload.Piece(0, fileOffset, offset, length, WindowPayload.Piece.WRITABLE);
        BackendMessage message = new BackendMessage.Map(piece, file);
        try {
            return give(new Order(message, sys.statx(file, Stat.STATX_INO)));
        } catch (ErrnoException e) {
            Order order = new Order(message, null);
            fail(order, e.errno());
            return order;
        }
    }

    @Override
    public Change unmap(long offset, long length) {
        return give(new Order(new BackendMessage.Unmap(new WindowPayload.Piece(0, 0, offset, length, 0)), null));
    }

    @Override
    public void listen(Runnable next) {
        bell = next;
    }

    /// Takes over the socket on which the front end listens, instead of the one before.
    void connect(BackendChannel next) {
        hangUp();
        synchronized (this) {
            channel = next;
        }
    }

    synchronized boolean isConnected() {
        return channel != null;
    }

    /// The front end can be asked from now on; what is held is sent.
    synchronized void run() {
        running = true;
        send();
    }

    /// The front end cannot be asked any more. What is held fails: nobody knows for how long.
    void stop() {
        synchronized (this) {
            running = false;
            held.forEach(order -> fail(order, Errno.EAGAIN));
            held.clear();
        }
        bell.run();
    }

    /// Whether a region that is announced is one of the pieces in the window, and so a part of a
    /// file that may be shortened at any time.
    synchronized boolean isPiece(FileStatus file, Region region) {
        List<Order> shown = pieces.values().stream()
                .filter(order -> order.shows(file, region))
                .toList();
        shown.stream().filter(order -> !order.seen).findFirst().ifPresent(order -> order.seen = true);
        return !shown.isEmpty();
    }

    /// The front end has been told that its change of memory is done.
    void memoryChanged() {
        synchronized (this) {
            for (Order order : pieces.values()) {
                order.announced = order.seen;
                hasAnnounced |= order.seen;
            }
        }
        bell.run();
    }

    /// The front end has left.
    @Override
    public void close() {
        stop();
        hangUp();
    }

    private synchronized Change give(Order order) {
        if (channel == null) {
            fail(order, Errno.ENODEV);
        } else {
            held.add(order);
            send();
        }
        return order;
    }

    /// Sends what is held, as far as it may be.
    private void send() {
        while (running && channel != null && sent.size() < MOST_SENT && !held.isEmpty()) {
            Order order = held.remove();
            try {
                listen();
                channel.send(order.message);
                order.message.fds().forEach(Fd::close);
                sent.add(order);
                long offset = order.message.piece().offset();
                order.emptied = order.file == null ? pieces.get(offset) : pieces.put(offset, order);
            } catch (ErrnoException e) {
                fail(order, e.errno());
            }
        }
    }

    private static void fail(Order order, int errno) {
        order.message.fds().forEach(Fd::close);
        order.end(errno);
    }

    private void listen() {
        if (listener == null) {
            BackendChannel current = channel;
            listener = Thread.ofPlatform().name("window").daemon().start(() -> hear(current));
        }
    }

    private void hear(BackendChannel from) {
        try (from) {
            Optional<Long> answer = from.answer();
            while (answer.isPresent()) {
                answered(answer.get());
                answer = from.answer();
            }
        } catch (MalformedException | ErrnoException e) {
            LOG.log(System.Logger.Level.WARNING, "the second socket is given up: {0}", e.getMessage());
        }
        lose();
    }

    private void answered(long answer) throws MalformedException {
        synchronized (this) {
            Order order = sent.poll();
            if (order == null) {
                throw new MalformedException("an answer to nothing");
            }
            pieces.values().remove(answer == 0 ? order.emptied : order);
            order.end(answer == 0 ? 0 : Errno.EIO);
            send();
        }
        bell.run();
    }

    /// Nobody answers any more. What is in the window stays there.
    private void lose() {
        synchronized (this) {
            channel = null;
            sent.forEach(order -> order.end(Errno.EIO)); // their files went with the messages
            sent.clear();
            held.forEach(order -> fail(order, Errno.EIO));
            held.clear();
        }
        bell.run();
    }

    private void hangUp() {
        BackendChannel old;
        Thread oldListener;
        synchronized (this) {
            old = channel;
            oldListener = listener;
            channel = null;
            listener = null;
        }
        if (oldListener == null) {
            if (old != null) {
                old.close();
            }
            return;
        }
        if (old != null) {
            old.shutdown();
        }
        try {
            oldListener.join(); // it closes the socket
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
