package vitrine.conformance.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.LIBC;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.posix.WakeUp;

/// A kick wakes; nothing else does; and it costs one system call.
@Timeout(30)
class WakeUpTest {

    /// Edge-triggered: each write reports the counter once more, although it is never read.
    ///
    /// Caught: without `EPOLLET` (reports for ever).
    @Test
    void eachKickIsReportedOnceThoughTheCounterIsNeverRead() throws Exception {
        EventFd kick = EventFd.create(SYS);
        try (WakeUp wakeUp = new WakeUp(SYS, kick)) {
            assertFalse(wakeUp.poll());
            for (int i = 0; i < 1000; i++) {
                kick.signal();

                assertTrue(wakeUp.poll());
                assertFalse(wakeUp.poll());
            }
        }
        assertEquals(1000, kick.drain());
        assertEquals(0, kick.drain());
        kick.close();
    }

    /// A driver may kick before anybody waits. Several kicks are one wake-up.
    @Test
    void kicksBeforeTheWaitAreNotLost() throws Exception {
        EventFd kick = EventFd.create(SYS);
        kick.signal();
        try (WakeUp wakeUp = new WakeUp(SYS, kick)) {
            assertTrue(wakeUp.await());
            kick.signal();
            kick.signal();

            assertTrue(wakeUp.await());
            assertFalse(wakeUp.poll());
        }
        kick.close();
    }

    /// Caught: a second call in `await`, such as the `read` that others make.
    @Test
    void aWakeUpCostsOneSystemCall() throws Exception {
        List<String> calls = new CopyOnWriteArrayList<>();
        InvocationHandler counting = (_, method, arguments) -> {
            calls.add(method.getName());
            return method.invoke(LIBC, arguments);
        };
        Class<?>[] libc = {Libc.class};
        Syscalls sys = new Syscalls((Libc) Proxy.newProxyInstance(Libc.class.getClassLoader(), libc, counting));
        EventFd kick = EventFd.create(sys);
        WakeUp wakeUp = new WakeUp(sys, kick);
        kick.signal();
        calls.clear();

        wakeUp.await();

        assertEquals(List.of("epoll_wait"), calls);
        wakeUp.close();
        kick.close();
    }

    /// No kick is lost while one thread kicks and the other goes to sleep again and again.
    ///
    /// Caught: `EPOLLONESHOT` in addition to `EPOLLET` (hangs).
    @Test
    void aSleeperSeesEveryLastKick() throws Exception {
        EventFd kick = EventFd.create(SYS);
        WakeUp wakeUp = new WakeUp(SYS, kick);
        int rounds = 20_000;
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        Thread sleeper = Thread.ofPlatform().start(() -> {
            try {
                while (seen.get() < rounds && wakeUp.await()) {
                    seen.set(sent.get());
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });

        long deadline = System.nanoTime() + 20_000_000_000L;
        for (int i = 1; i <= rounds; i++) {
            sent.set(i);
            kick.signal();
            while (i % 100 == 0 && seen.get() < i) {
                assertTrue(System.nanoTime() < deadline, "kick " + i + " was lost");
            }
        }
        boolean finished = sleeper.join(Duration.ofSeconds(20));
        wakeUp.stop();
        sleeper.join();

        assertTrue(finished);
        wakeUp.close();
        kick.close();
    }

    /// Caught: the stop watched edge-triggered without the flag (a second wait hangs).
    @Test
    void stoppingEndsEveryWaitForEver() throws Exception {
        EventFd kick = EventFd.create(SYS);
        WakeUp wakeUp = new WakeUp(SYS, kick);
        boolean[] result = {true};
        Thread sleeper = Thread.ofPlatform().start(() -> {
            try {
                result[0] = wakeUp.await();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        Thread.sleep(50);

        wakeUp.stop();
        sleeper.join();

        assertFalse(result[0]);
        assertFalse(wakeUp.await());
        kick.signal();
        assertFalse(wakeUp.await());
        assertFalse(wakeUp.poll());
        wakeUp.close();
        kick.close();
    }

    /// The front end may hand over an eventfd that blocks: looking must not wait for it, nor change
    /// it.
    ///
    /// Caught: `drain` by plain `read` (hangs).
    @Test
    void drainingNeverWaits() throws Exception {
        Fd blocking = new Fd(LIBC.eventfd(0, Fcntl.O_CLOEXEC), LIBC);
        EventFd event = EventFd.of(SYS, blocking);

        assertEquals(0, event.drain());
        event.signal();
        event.signal();

        assertEquals(2, event.drain());
        assertEquals(0, event.drain());
        assertEquals(0, SYS.fcntl(blocking, Fcntl.F_GETFL, 0) & Fcntl.O_NONBLOCK);
        event.close();
        event.close();
    }

    /// Nor must signalling wait for a counter that is full, which it would for a blocking one.
    ///
    /// Caught: `signal` that does not ask first (hangs).
    @Test
    void signallingNeverWaits() throws Exception {
        Fd blocking = new Fd(LIBC.eventfd(0, Fcntl.O_CLOEXEC), LIBC);
        EventFd event = EventFd.of(SYS, blocking);
        long most = -2;
        try (Arena arena = Arena.ofConfined()) {
            assertEquals(
                    8,
                    LIBC.write(
                            blocking.number(),
                            arena.allocateFrom(JAVA_LONG, most).address(),
                            8));
        }

        event.signal();

        assertEquals(most, event.drain());
        event.signal();
        assertEquals(1, event.drain());
        event.close();
    }

    /// A pipe that nobody reads would be waited for, and a file would be written to.
    ///
    /// Caught: `of` that takes everything.
    @Test
    void whatIsNoEventfdIsRefusedAndClosed() throws Exception {
        Fd memory = SYS.memfdCreate("memory");
        Fd epoll = SYS.epollCreate();
        for (Fd wrong : List.of(memory, epoll)) {
            ErrnoException refused = assertThrows(ErrnoException.class, () -> EventFd.of(SYS, wrong));

            assertEquals(Errno.EINVAL, refused.errno());
            assertFalse(wrong.isOpen());
        }
    }

    /// Something that is no eventfd must not stop the daemon.
    @Test
    void signallingAClosedDescriptorIsHarmless() throws Exception {
        EventFd event = EventFd.create(SYS);
        event.close();

        event.signal();

        assertEquals(0, event.drain());
    }

    /// Which of several descriptors are ready. Caught: `revents` read where `events` is.
    @Test
    void pollTellsWhichAreReady() throws Exception {
        EventFd first = EventFd.create(SYS);
        EventFd second = EventFd.create(SYS);
        EventFd third = EventFd.create(SYS);
        List<Fd> all = List.of(first.fd(), second.fd(), third.fd());

        assertEquals(0, SYS.poll(all, 0));
        third.signal();
        assertEquals(0b100, SYS.poll(all, 1000));
        first.signal();
        assertEquals(0b101, SYS.poll(all, -1));
        for (EventFd event : List.of(first, second, third)) {
            event.close();
        }
    }

    /// A guest that knows many files needs many descriptors.
    @Test
    void theLimitOfOpenFilesIsRaised() throws Exception {
        long limit = SYS.raiseOpenFileLimit();

        try (Arena arena = Arena.ofConfined()) {
            MemorySegment now = arena.allocate(16, 8);
            LIBC.prlimit(0, 7, 0, now.address());
            assertEquals((int) limit, now.get(JAVA_INT, 0));
            assertEquals((int) limit, now.get(JAVA_INT, 8));
        }
    }
}
