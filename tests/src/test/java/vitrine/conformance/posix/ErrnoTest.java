package vitrine.conformance.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static vitrine.conformance.posix.HostKernel.LIBC;
import static vitrine.conformance.posix.HostKernel.SYS;
import static vitrine.conformance.posix.HostKernel.assertErrno;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// The error number of a failed call reaches the one who made it.
class ErrnoTest {

    @TempDir
    Path temp;

    /// What a log and a trace show. Caught: the name looked up without removing its text.
    @Test
    void aMessageNamesCallNumberAndMeaning() {
        ErrnoException e = new ErrnoException("openat", Errno.ENOENT);

        assertEquals("openat: ENOENT (No such file or directory)", e.getMessage());
        assertEquals(0, e.getStackTrace().length);
        assertEquals("EHWPOISON", Errno.name(133));
        assertEquals("errno 4711", Errno.name(4711));
        assertEquals("errno -1", Errno.name(-1));
    }

    /// Caught: `checked` that lets -1 through.
    @Test
    void eachFailureBringsItsOwnNumber() throws Exception {
        Fd dir = HostKernel.directory(temp);
        SYS.mkdirat(dir, Name.of("there"), 0755);

        assertErrno(Errno.ENOENT, () -> SYS.openat(dir, Name.of("missing"), 0, 0));
        assertErrno(Errno.EEXIST, () -> SYS.mkdirat(dir, Name.of("there"), 0755));
        assertErrno(Errno.EISDIR, () -> SYS.unlinkat(dir, Name.of("there"), 0));
        assertErrno(Errno.EBADF, () -> SYS.fsync(dir));
        assertErrno(Errno.ENAMETOOLONG, () -> SYS.mkdirat(dir, Name.of("x".repeat(256)), 0));
        assertErrno(Errno.ENAMETOOLONG, () -> SYS.mkdirat(dir, Name.of("x".repeat(5000)), 0));
        dir.close();
    }

    /// A descriptor that was closed must not reach the file that got its number next.
    /// Caught: `Fd.close` that keeps the number.
    @Test
    void aClosedDescriptorReachesNoFile() throws Exception {
        Fd first = HostKernel.directory(temp);
        int number = first.number();

        first.close();
        Fd second = HostKernel.directory(temp);

        assertEquals(number, second.number());
        assertErrno(Errno.EBADF, () -> SYS.statx(first, Stat.STATX_BASIC_STATS));
        first.close();
        assertEquals(
                true, Stat.isDirectory(SYS.statx(second, Stat.STATX_BASIC_STATS).mode()));
        second.close();
    }

    /// A tap is a proxy around [Libc]. It may do in Java what it likes, and the caller still finds
    /// the number.
    @Test
    void theNumberComesThroughAProxy() throws Exception {
        List<String> seen = new ArrayList<>();
        InvocationHandler tap = (_, method, arguments) -> {
            Object result = method.invoke(LIBC, arguments);
            seen.add(method.getName() + " = " + result);
            System.gc(); // touches files and memory, through other calls than ours
            return result;
        };
        Class<?>[] libc = {Libc.class};
        Syscalls tapped = new Syscalls((Libc) Proxy.newProxyInstance(Libc.class.getClassLoader(), libc, tap));

        assertErrno(Errno.ENOENT, () -> tapped.openPath(temp.resolve("missing").toString(), Fcntl.O_RDONLY));

        assertEquals(List.of("openat = -1"), seen);
    }

    /// errno belongs to the thread. Two threads fail in different ways, many times at once.
    @Test
    void threadsDoNotSeeEachOthersNumber() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        Path missing = temp.resolve("missing");
        Executable noFile = () -> {
            together.await();
            for (int i = 0; i < 20_000; i++) {
                assertErrno(Errno.ENOENT, () -> SYS.openPath(missing.toString(), 0));
            }
        };
        Executable noDescriptor = () -> {
            together.await();
            for (int i = 0; i < 20_000; i++) {
                assertErrno(Errno.EBADF, () -> SYS.fsync(Fd.of(-1)));
            }
        };

        HostKernel.onOwnThreads(List.of(noFile, noDescriptor));
    }

    /// EINTR is not an answer: the call is made again. Played, because signals cannot be had
    /// reliably.
    ///
    /// Caught: `openPath` without its loop.
    @Test
    void anInterruptedCallIsRepeated() throws Exception {
        int[] times = {0};
        InvocationHandler interrupting = (_, method, arguments) -> {
            if (method.getName().equals("openat") && times[0]++ < 3) {
                Libc.setLastErrno(Errno.EINTR);
                return -1;
            }
            return method.invoke(LIBC, arguments);
        };
        Class<?>[] libc = {Libc.class};
        Syscalls sys = new Syscalls((Libc) Proxy.newProxyInstance(Libc.class.getClassLoader(), libc, interrupting));

        sys.openPath(temp.toString(), Fcntl.O_PATH).close();

        assertEquals(4, times[0]);
        assertThrows(ErrnoException.class, () -> sys.openPath("/nowhere/at/all", 0));
    }
}
