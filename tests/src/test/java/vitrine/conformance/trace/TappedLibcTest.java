package vitrine.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.tap.TappedLibc;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// The tap on the C library: it tells each call, and the caller does not notice.
class TappedLibcTest {

    private final List<String> calls = new ArrayList<>();
    private long now;

    /// A trace that leaves another `errno` behind, as one that writes a file might.
    private final Recorder careless = new Recorder(
            event -> {
                calls.add(text((TraceEvent.HostCall) event));
                Libc.setLastErrno(Errno.EBADF);
            },
            () -> ++now,
            Actor.DAEMON);

    private static String text(TraceEvent.HostCall call) {
        TraceEvent.Outcome outcome = call.outcome();
        return call.name() + "(" + call.arguments() + ") = "
                + (outcome.errno() == 0 ? outcome.result() : Errno.name(outcome.errno()));
    }

    /// errno is read after the call, and so after the tap (errno(3)).
    ///
    /// Seen to catch: `errno` not put back after the trace was told.
    @Test
    void callerSeesTheErrnoOfItsCall() {
        Libc libc = TappedLibc.tap(FakeLibc.answering(-1, Errno.ENOSPC), careless);

        assertEquals(-1, libc.fsync(12));

        assertEquals(Errno.ENOSPC, Libc.lastErrno());
        assertEquals(List.of("fsync(fd 12) = ENOSPC"), calls);
    }

    /// Seen to catch: an `iov` that counted as one argument, so that the offset was its length.
    @Test
    void realCallsAreToldAsAPersonWouldWriteThem() throws Exception {
        Syscalls sys = new Syscalls(TappedLibc.tap(Libc.load(), careless));

        try (Fd file = sys.memfdCreate("vitrine")) {
            calls.clear();
            Buffers two = Buffers.of(
                    MemorySegment.ofBuffer(ByteBuffer.allocateDirect(3)),
                    MemorySegment.ofBuffer(ByteBuffer.allocateDirect(4)));
            assertEquals(7, sys.pwritev2(file, two, 10, 0));
            assertEquals(7, sys.pwritev2(file, two, 10, Fcntl.RWF_APPEND));
            ErrnoException failure = assertThrows(
                    ErrnoException.class,
                    () -> sys.openat(file, Name.of("nothing"), Fcntl.O_RDWR | Fcntl.O_CREAT, 0640));
            assertEquals(Errno.ENOTDIR, failure.errno());
            String fd = "fd " + file.number();
            assertEquals("pwritev2(" + fd + ", 7 bytes in 2 parts, offset 10) = 7", calls.get(0));
            assertEquals("pwritev2(" + fd + ", 7 bytes in 2 parts, offset 10, RWF_APPEND) = 7", calls.get(1));
            assertTrue(
                    calls.get(2).matches("openat\\(" + fd + ", \"nothing\", O_RDWR\\|O_CREAT.*, mode 0640.*ENOTDIR"),
                    calls.get(2));
        }
        assertTrue(calls.getLast().matches("close\\(fd \\d+\\) = 0"), calls.getLast());
    }

    /// Numbers that have a name are told by it.
    ///
    /// Seen to catch: `flock` not in the table; the names of fcntl(2) taken for flags.
    @Test
    void whatACallIsToDoHasAName() {
        Libc libc = TappedLibc.tap(FakeLibc.answering(0, 0), careless);

        libc.fcntl(3, Fcntl.F_DUPFD_CLOEXEC, 0);
        libc.fcntl(3, 1, 0);
        libc.fcntl(3, 99, 0);
        libc.flock(3, Fcntl.LOCK_EX | Fcntl.LOCK_NB);
        libc.lseek(3, 8, Fcntl.SEEK_HOLE);
        libc.fallocate(3, Fcntl.FALLOC_FL_PUNCH_HOLE | Fcntl.FALLOC_FL_KEEP_SIZE, 0, 9);
        libc.renameat2(3, 0, 4, 0, Fcntl.RENAME_EXCHANGE | 0x80);

        assertEquals(
                List.of(
                        "fcntl(fd 3, F_DUPFD_CLOEXEC) = 0",
                        "fcntl(fd 3, F_GETFD) = 0",
                        "fcntl(fd 3, 99) = 0",
                        "flock(fd 3, LOCK_EX|LOCK_NB) = 0",
                        "lseek(fd 3, offset 8, SEEK_HOLE) = 0",
                        "fallocate(fd 3, FALLOC_FL_KEEP_SIZE|FALLOC_FL_PUNCH_HOLE, offset 0, 9 bytes) = 0",
                        "renameat2(fd 3, fd 4, RENAME_EXCHANGE|0x80) = 0"),
                calls);
    }

    /// A function that is added to [Libc] is told as well, at least by its numbers.
    @Test
    void everyFunctionCanBeTold() throws Exception {
        Libc libc = TappedLibc.tap(FakeLibc.answering(0, 0), careless);

        for (Method function : Libc.class.getMethods()) {
            if (Modifier.isStatic(function.getModifiers())) {
                continue;
            }
            Object[] zeros = Arrays.stream(function.getParameterTypes())
                    .map(type -> type == long.class ? (Object) 0L : (Object) 0)
                    .toArray();
            function.invoke(libc, zeros);
            String name = function.getName();
            assertTrue(calls.getLast().startsWith(name + "(") || name.equals("syscall"), calls.getLast());
        }
    }
}
