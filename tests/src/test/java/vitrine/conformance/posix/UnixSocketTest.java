package vitrine.conformance.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.LIBC;
import static vitrine.conformance.posix.HostKernel.SYS;
import static vitrine.conformance.posix.HostKernel.assertErrno;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;

/// Bytes and descriptors go over, and a socket file belongs to one daemon.
@Timeout(30)
class UnixSocketTest {

    @TempDir
    Path temp;

    private Arena arena;
    private UnixSocket here;
    private UnixSocket there;

    @BeforeEach
    void connect() throws Exception {
        arena = Arena.ofConfined();
        UnixSocket[] pair = UnixSocket.pair(SYS);
        here = pair[0];
        there = pair[1];
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        arena.close();
    }

    /// A descriptor that arrives is a new number for the same open file, and is not inherited by
    /// programs that are started.
    ///
    /// Caught: descriptors read 8 bytes apart; without `MSG_CMSG_CLOEXEC`.
    @Test
    void descriptorsArriveAndAreTheSameFiles() throws Exception {
        EventFd first = EventFd.create(SYS);
        EventFd second = EventFd.create(SYS);
        List<Fd> came = new ArrayList<>();

        here.send(text("hello"), List.of(first.fd(), second.fd()));
        MemorySegment room = arena.allocate(100);
        int size = there.receive(room, came);

        assertEquals("hello", room.asSlice(0, size + 1).getString(0));
        assertEquals(2, came.size());
        EventFd.of(SYS, came.get(1)).signal();
        assertEquals(0, first.drain());
        assertEquals(1, second.drain());
        assertEquals(1, SYS.fcntl(came.get(0), Fcntl.F_GETFD, 0));
        came.forEach(Fd::close);
        first.close();
        second.close();
    }

    /// Caught: what comes beyond the limit left open.
    @Test
    void descriptorsBeyondTheLimitAreClosed() throws Exception {
        EventFd event = EventFd.create(SYS);
        List<Fd> many = Stream.generate(event::fd)
                .limit(UnixSocket.MOST_FDS_RECEIVED + 5)
                .toList();
        List<Fd> came = new ArrayList<>();
        long before = openFiles();

        here.send(text("x"), many);
        there.receive(arena.allocate(1), came);

        assertEquals(UnixSocket.MOST_FDS_RECEIVED, came.size());
        assertEquals(before + UnixSocket.MOST_FDS_RECEIVED, openFiles());
        came.forEach(Fd::close);
        event.close();
    }

    /// Where the process may not have more descriptors the kernel drops some (`MSG_CTRUNC`), and
    /// which is which cannot be told any more: none is kept.
    ///
    /// Caught: without the check of the flag.
    @Test
    void lostDescriptorsAreAnErrorAndNoneStaysOpen() throws Exception {
        EventFd event = EventFd.create(SYS);
        here.send(text("x"), List.of(event.fd(), event.fd(), event.fd(), event.fd()));
        List<Fd> came = new ArrayList<>();
        List<Fd> ballast = new ArrayList<>();
        long before = openFiles();
        long limit = SYS.raiseOpenFileLimit();
        try {
            setLimit(before + 60, limit);
            assertThrows(ErrnoException.class, () -> {
                while (true) {
                    ballast.add(SYS.dup(event.fd()));
                }
            });
            ballast.removeLast().close(); // one place is left for four that come

            assertErrno(Errno.EMFILE, () -> there.receive(arena.allocate(1), came));
        } finally {
            setLimit(limit, limit);
            ballast.forEach(Fd::close);
        }

        assertEquals(List.of(), came);
        assertEquals(before, openFiles());
        event.close();
    }

    private void setLimit(long soft, long hard) {
        MemorySegment limit = arena.allocate(16, 8);
        limit.set(JAVA_LONG, 0, soft);
        limit.set(JAVA_LONG, 8, hard);
        assertEquals(0, LIBC.prlimit(0, 7, limit.address(), 0));
    }

    private static long openFiles() throws Exception {
        try (Stream<Path> fds = Files.list(Path.of("/proc/self/fd"))) {
            return fds.count();
        }
    }

    /// A kernel that takes a message in small pieces, as it may when a signal interrupts it, and a
    /// peer that gets it so: all bytes arrive, and the descriptor once.
    ///
    /// Caught: descriptors sent with every step; `send` that makes one step only; `receiveFully`
    /// that stops after one.
    @Test
    void aMessageInPiecesIsSentAndReceivedWhole() throws Exception {
        InvocationHandler reluctant = (_, method, arguments) -> {
            if (method.getName().equals("sendmsg")) {
                takeAtMost(1000, (long) arguments[1]);
            }
            return method.invoke(LIBC, arguments);
        };
        Class<?>[] libc = {Libc.class};
        Libc slow = (Libc) Proxy.newProxyInstance(Libc.class.getClassLoader(), libc, reluctant);
        UnixSocket sender = UnixSocket.adopt(new Syscalls(slow), here.fd());
        MemorySegment out = arena.allocate(10_500);
        for (int i = 0; i < out.byteSize(); i++) {
            out.set(JAVA_BYTE, i, (byte) (i / 7));
        }
        MemorySegment in = arena.allocate(10_500);
        List<Fd> came = new ArrayList<>();

        sender.send(out, List.of(here.fd()));
        here.shutdown(); // whoever sent too little, ends here
        boolean whole = there.receiveFully(in, came);

        assertTrue(whole);
        assertEquals(-1, in.mismatch(out));
        assertEquals(1, came.size());
        came.forEach(Fd::close);
    }

    /// Shortens the iovec of a `struct msghdr`.
    @SuppressWarnings("restricted")
    private static void takeAtMost(long most, long message) {
        MemorySegment header = MemorySegment.ofAddress(message).reinterpret(56);
        MemorySegment iovec = MemorySegment.ofAddress(header.get(JAVA_LONG, 16)).reinterpret(16);
        iovec.set(JAVA_LONG, 8, Math.min(most, iovec.get(JAVA_LONG, 8)));
    }

    /// Caught: an end in the middle taken for an end between messages.
    @Test
    void theEndOfTheConversationIsToldFromATornMessage() throws Exception {
        here.send(text("abc"), List.of());
        here.close();

        assertErrno(Errno.ECONNRESET, () -> there.receiveFully(arena.allocate(4), new ArrayList<>()));
        assertFalse(there.receiveFully(arena.allocate(4), new ArrayList<>()));
        assertEquals(0, there.receive(arena.allocate(4), new ArrayList<>()));
        assertErrno(Errno.EPIPE, () -> there.send(text("x"), List.of()));
    }

    /// Caught: without the mode set before `bind` (0755).
    @Test
    void theSocketFileIsTheOwnersAlone() throws Exception {
        Path path = temp.resolve("socket");

        UnixSocket listening = UnixSocket.listen(SYS, path);

        assertEquals(0140700, Files.getAttribute(path, "unix:mode"));
        listening.close();
        assertFalse(Files.exists(path));
    }

    /// Caught: removed without trying to connect.
    @Test
    void aSocketThatIsInUseIsLeftAlone() throws Exception {
        Path path = temp.resolve("socket");
        UnixSocket first = UnixSocket.listen(SYS, path);

        ErrnoException e = assertThrows(ErrnoException.class, () -> UnixSocket.listen(SYS, path));

        assertTrue(e.getMessage().contains("already in use by a running daemon"), e.getMessage());
        first.accept().close(); // the attempt that was made to find out
        UnixSocket client = UnixSocket.connect(SYS, path);
        UnixSocket served = first.accept();
        client.send(text("x"), List.of());
        assertEquals(1, served.receive(arena.allocate(10), new ArrayList<>()));
        client.close();
        served.close();
        first.close();
    }

    /// Caught: without the second `bind`.
    @Test
    void aSocketFileThatWasLeftBehindIsReplaced() throws Exception {
        Path path = temp.resolve("socket");
        UnixSocket killed = UnixSocket.listen(SYS, path);
        killed.fd().close(); // as the kernel does it for a process that dies
        assertTrue(Files.exists(path));
        assertErrno(Errno.ECONNREFUSED, () -> UnixSocket.connect(SYS, path));

        UnixSocket next = UnixSocket.listen(SYS, path);

        UnixSocket.connect(SYS, path).close();
        next.close();
    }

    /// Whoever connects says it in the same words, and names the file.
    ///
    /// Seen to catch: `connect` and the file for every error.
    @Test
    void whereNobodyListensIsSaid() {
        Path missing = temp.resolve("missing");

        ErrnoException e = assertThrows(ErrnoException.class, () -> UnixSocket.connect(SYS, missing));

        assertEquals("nobody listens on " + missing + ": ENOENT (No such file or directory)", e.getMessage());
    }

    /// Connecting to a file that is no socket is refused as well, but that does not make it stale.
    ///
    /// Caught: without the look at the type (the file is gone).
    @Test
    void aFileThatIsNoSocketIsNeverRemoved() throws Exception {
        Path path = Files.writeString(temp.resolve("precious"), "data");

        assertErrno(Errno.EADDRINUSE, () -> UnixSocket.listen(SYS, path));

        assertEquals("data", Files.readString(path));
        assertErrno(Errno.ENAMETOOLONG, () -> UnixSocket.listen(SYS, temp.resolve("x".repeat(108))));
        assertErrno(Errno.ENOENT, () -> UnixSocket.connect(SYS, temp.resolve("missing")));
    }

    /// A daemon that is told to end must not wait for the next front end.
    @Test
    void shutdownEndsEveryWait() throws Exception {
        UnixSocket listening = UnixSocket.listen(SYS, temp.resolve("socket"));
        Thread ender = Thread.ofPlatform().start(() -> {
            try {
                Thread.sleep(100);
                listening.shutdown();
                there.shutdown();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });

        assertErrno(Errno.EINVAL, listening::accept);
        assertEquals(0, there.receive(arena.allocate(1), new ArrayList<>()));
        ender.join();
        listening.close();
    }

    private MemorySegment text(String text) {
        return arena.allocateFrom(text).asSlice(0, text.length());
    }
}
