package vitrine.guest.frontend;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.message.BackendMessage;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;

/// What the back end asks on the second socket, done as QEMU does it: one thing at a time, and
/// nothing while an answer is due on the first socket.
///
/// ```
///   SHMEM_MAP ──► map the piece ──► answer 0 ──► announce the memory ──► acknowledged: next
///                       └─ refused ► answer 1
/// ```
///
/// QEMU has one thread for both sockets. Here the second one has a thread, and whoever speaks on
/// the first one keeps it waiting: so a back end that answers on neither while it waits for the
/// other hangs here as it does there.
final class WindowRequests implements AutoCloseable {

    private static final long DONE = 0;
    private static final long REFUSED = 1;

    private final Conversation first;
    private final UnixSocket socket;
    private final FrameStream second;
    private final WindowMemory window;
    private final MemoryAnnouncements memory;
    private final Queues queues;
    private final List<String> offences = new CopyOnWriteArrayList<>();
    private final Thread thread;

    /// @param socket our end of the second socket
    WindowRequests(
            Conversation first, UnixSocket socket, WindowMemory window, MemoryAnnouncements memory, Queues queues) {
        this.first = first;
        this.socket = socket;
        this.second = new FrameStream(socket);
        this.window = window;
        this.memory = memory;
        this.queues = queues;
        this.thread = Thread.ofPlatform().name("window-requests").daemon().start(this::serve);
    }

    /// What QEMU would not have survived, or would have hung up for, in the order in which it came.
    List<String> offences() {
        return List.copyOf(offences);
    }

    /// Does not listen any more.
    @Override
    public void close() {
        socket.shutdown();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        second.close();
    }

    private void serve() {
        try {
            Optional<Frame> request = second.receive();
            while (request.isPresent() && obey(request.get())) {
                request = second.receive();
            }
        } catch (MalformedException | ErrnoException | FrontendException e) {
            offences.add(e.getMessage());
        }
        socket.shutdown();
    }

    /// @return false if nothing more is to be heard
    private boolean obey(Frame frame) throws ErrnoException, FrontendException {
        synchronized (first) {
            if (!queues.areRunning()) {
                offences.add("message " + frame.header().request() + " while the device is not started");
                frame.closeFds();
                answer(frame, REFUSED);
                return true;
            }
            try {
                BackendMessage message = BackendMessage.decode(frame);
                Change change = change(message);
                answer(frame, DONE);
                change.announce();
            } catch (MalformedException e) {
                answer(frame, REFUSED);
            } catch (ErrnoException e) {
                if (e.errno() == Errno.EBADF) {
                    offences.add(e.getMessage());
                    return false;
                }
                answer(frame, REFUSED);
            }
            return true;
        }
    }

    /// What is left to be told of a change of the window.
    @FunctionalInterface
    private interface Change {
        void announce() throws FrontendException;
    }

    private Change change(BackendMessage message) throws ErrnoException {
        switch (message) {
            case BackendMessage.Map map -> {
                WindowMemory.Mapped mapped = window.map(map.piece(), map.file());
                return () -> memory.add(mapped.region(), mapped.file());
            }
            case BackendMessage.Unmap unmap -> {
                WindowMemory.Mapped gone = window.unmap(unmap.piece());
                return () -> memory.remove(gone.region());
            }
        }
    }

    private void answer(Frame request, long value) throws ErrnoException {
        if (request.header().needsReply()) {
            Buffers bytes = FrontendMessage.encode(new Payload.Number(value));
            second.send(new Frame(request.header().reply((int) bytes.size()), bytes, List.of()));
        }
    }
}
