package vitrine.conformance.vhostuser;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.Backend;
import vitrine.vhostuser.Connection;
import vitrine.vhostuser.VirtioDevice;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// A back end on a thread of its own, and a front end's end of the socket without any manners.
final class BackendLink implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    final UnixSocket socket;
    final FrameStream stream;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final List<Fd> own = new ArrayList<>();

    BackendLink(VirtioDevice device) {
        this(device, connection -> connection);
    }

    /// The same, and somebody listens in.
    BackendLink(VirtioDevice device, UnaryOperator<Connection> tap) {
        try {
            UnixSocket[] pair = UnixSocket.pair(Host.SYS);
            socket = pair[0];
            stream = new FrameStream(socket, Host.SYS, PATIENCE);
            Backend backend = new Backend(tap.apply(Connection.over(pair[1])), device, Host.SYS);
            Thread.ofPlatform().name("backend").daemon().start(() -> run(backend));
        } catch (ErrnoException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    private void run(Backend backend) {
        try {
            backend.run();
            end.complete(null);
        } catch (Throwable e) {
            end.completeExceptionally(e);
        }
    }

    void send(FrontendMessage message, boolean needReply) {
        try {
            stream.send(message.toFrame(needReply));
        } catch (ErrnoException e) {
            throw new AssertionError("sending " + message + ": " + e.getMessage(), e);
        }
    }

    void send(FrontendMessage message) {
        send(message, false);
    }

    /// Sends bytes and descriptors as they are. False if nobody listens any more.
    boolean sendRaw(byte[] bytes, List<Fd> fds) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Math.max(1, bytes.length));
            copy.copyFrom(MemorySegment.ofArray(bytes));
            socket.send(copy.asSlice(0, bytes.length), fds);
            return true;
        } catch (ErrnoException _) {
            return false;
        }
    }

    /// The next answer, whatever it is.
    Frame receive() {
        try {
            Optional<Frame> frame = stream.receive();
            return frame.orElseThrow(() -> new AssertionError("the back end left"));
        } catch (ErrnoException | MalformedException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    long number(Frame answer) {
        try {
            return Payload.Number.decode(new WireReader(answer.payload())).value();
        } catch (MalformedException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /// Asks a question that is answered with a number.
    long ask(FrontendMessage message) {
        send(message, false);
        return number(receive());
    }

    /// Sends a message with need_reply; returns whether it was obeyed.
    boolean tell(FrontendMessage message) {
        send(message, true);
        return number(receive()) == 0;
    }

    /// Everything that the back end has answered to what was sent so far. A last question marks the
    /// end: it is about ring 1, which no other message of a test that uses this may be.
    List<Frame> answersUntilNow() {
        Frame mark = new RingMessage.GetVringBase(1, 0).toFrame(false);
        sendRaw(FramingTest.bytes(mark), List.of());
        List<Frame> answers = new ArrayList<>();
        Frame answer = receive();
        while (answer.header().request() != mark.header().request()
                || !answer.payload().equals(mark.payload())) {
            answers.add(answer);
            answer = receive();
        }
        return answers;
    }

    /// A descriptor that is closed with the link.
    Fd eventFd() {
        try {
            Fd fd = Host.SYS.eventfd();
            own.add(fd);
            return fd;
        } catch (ErrnoException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /// Memory of so many bytes; closed with the link.
    Fd memory(long bytes) {
        try {
            Fd fd = Host.SYS.memfdCreate("test-ram");
            own.add(fd);
            Host.SYS.ftruncate(fd, bytes);
            return fd;
        } catch (ErrnoException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /// Leaves, and waits for the back end to end. Returns what it ended with: null for "well".
    Throwable leave() {
        stream.close();
        return ending();
    }

    /// Waits for the back end to end by itself.
    Throwable ending() {
        try {
            end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("the back end does not end", e);
        }
    }

    @Override
    public void close() {
        stream.close();
        own.forEach(Fd::close);
        ending();
    }
}
