package vitrine.vhostuser;

import java.util.ArrayDeque;
import java.util.Deque;
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
///            │                  │ └ the front end answers something later ──► done
///            │                  └ not 0 ► done, EIO
///            └ the rings stop ──────────► done, EAGAIN
/// ```
///
/// An answer of 0 does not mean yet that the guest sees the piece: QEMU answers first and changes
/// the guest's address space then. It tells its devices by ADD_MEM_REG or SET_MEM_TABLE, and until
/// that is acknowledged the guest finds zeros in the place. So a mapping is complete when both are
/// done, in either order, for the two sockets have a thread each, and however long it takes: a QEMU
/// that stands still must not make zeros of a file.
///
/// To wait without end for who announces nothing would be wrong as well: see [Announcements]. If
/// the answer that would tell does not come by itself, something is asked for its sake.
///
/// While the rings do not run, nothing is sent: QEMU 11 ends with a segmentation fault if it finds
/// such a message then. One that was on its way when the rings stopped cannot be called back.
final class FrontendMapper implements Mapper, AutoCloseable {

    /// How many messages may be on their way, so that sending one never waits: the socket has room
    /// for more than that.
    private static final int MOST_SENT = 32;

    /// How long an announcement may take after the answer before something else is asked, in
    /// nanoseconds.
    private static final long PATIENCE = 1_000_000_000L;

    /// Asks for nothing at all. QEMU refuses it, which is an answer.
    private static final BackendMessage ANYTHING = new BackendMessage.Unmap(new WindowPayload.Piece(0, 0, 0, 0, 0));

    private static final System.Logger LOG = System.getLogger("vitrine.vhostuser");

    private final Syscalls sys;
    private final Deque<WindowOrder> held = new ArrayDeque<>();
    private final Deque<WindowOrder> sent = new ArrayDeque<>();
    private final Announcements announcements = new Announcements();
    private BackendChannel channel; // null: there is none, or not any more
    private Thread listener; // null: nothing was sent yet
    private boolean running;
    private volatile Runnable bell = () -> {};

    FrontendMapper(Syscalls sys) {
        this.sys = sys;
    }

    @Override
    public Change map(Fd file, long fileOffset, long offset, long length) {
        var piece = new WindowPayload.Piece(0, fileOffset, offset, length, WindowPayload.Piece.WRITABLE);
        BackendMessage message = new BackendMessage.Map(piece, file);
        try {
            return give(new WindowOrder(message, sys.statx(file, Stat.STATX_INO), this::askIfLate));
        } catch (ErrnoException e) {
            WindowOrder order = ordered(message);
            fail(order, e.errno());
            return order;
        }
    }

    @Override
    public Change unmap(long offset, long length) {
        return give(ordered(new BackendMessage.Unmap(new WindowPayload.Piece(0, 0, offset, length, 0))));
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
        return announcements.isPiece(file, region);
    }

    /// The front end has been told that its change of memory is done.
    void memoryChanged() {
        synchronized (this) {
            announcements.wereHeard();
        }
        bell.run();
    }

    /// The front end has left.
    @Override
    public void close() {
        stop();
        hangUp();
    }

    /// An order that maps nothing.
    private static WindowOrder ordered(BackendMessage message) {
        return new WindowOrder(message, null, _ -> {});
    }

    private synchronized Change give(WindowOrder order) {
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
            WindowOrder order = held.remove();
            try {
                listen();
                channel.send(order.message);
                order.message.fds().forEach(Fd::close);
                sent.add(order);
                if (order.file != null) {
                    announcements.put(order);
                }
            } catch (ErrnoException e) {
                fail(order, e.errno());
            }
        }
    }

    private static void fail(WindowOrder order, int errno) {
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
            WindowOrder order = sent.poll();
            if (order == null) {
                throw new MalformedException("an answer to nothing");
            }
            announcements.wereOvertaken();
            order.answered = true;
            order.answeredAt = System.nanoTime();
            boolean maps = order.file != null;
            if (maps == (answer != 0)) {
                announcements.takeOut(order);
            }
            if (answer != 0) {
                order.end(Errno.EIO);
            } else if (!maps || announcements.isComplete(order)) {
                order.end(0);
            }
            send();
        }
        bell.run();
    }

    /// Asks something, if nothing is on its way whose answer would tell as much.
    private synchronized void askIfLate(WindowOrder order) {
        boolean late = order.answered && order.isOpen() && System.nanoTime() - order.answeredAt > PATIENCE;
        if (late && running && sent.isEmpty()) {
            give(ordered(ANYTHING));
        }
    }

    /// Nobody answers or announces any more. What is in the window stays there.
    private void lose() {
        synchronized (this) {
            channel = null;
            sent.forEach(order -> order.end(Errno.EIO)); // their files went with the messages
            sent.clear();
            held.forEach(order -> fail(order, Errno.EIO));
            held.clear();
            announcements.end(Errno.EIO);
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
