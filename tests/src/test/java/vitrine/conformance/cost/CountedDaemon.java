package vitrine.conformance.cost;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import vitrine.daemon.VirtioFsDevice;
import vitrine.guest.compare.Pump;
import vitrine.guest.compare.RepeatingGuest;
import vitrine.guest.compare.ShareOfFiles;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.session.FuseSession;
import vitrine.vhostuser.Backend;
import vitrine.vhostuser.Connection;
import vitrine.wire.MalformedException;

/// A daemon whose system calls are counted, over the whole way: a vhost-user socket, real eventfds,
/// a thread that serves the queue. And the guest in front of it.
final class CountedDaemon implements AutoCloseable {

    private final CountedLibc counted = new CountedLibc();
    private final PassthroughFs fileSystem;
    private final Thread backend;
    private final RepeatingGuest guest;

    /// Something that causes requests.
    interface Action {
        void run() throws Exception;
    }

    /// @param share an empty directory
    CountedDaemon(Path share) throws Exception {
        ShareOfFiles.fill(share);
        Syscalls sys = new Syscalls(counted.asLibc());
        fileSystem = new PassthroughFs(sys, share.toString(), PassthroughOptions.DEFAULT);
        UnixSocket[] pair = UnixSocket.pair(sys);
        Backend served =
                new Backend(Connection.over(pair[1]), new VirtioFsDevice(sys, new FuseSession(fileSystem), 1, ""), sys);
        backend = Thread.ofPlatform().daemon().start(() -> run(served));
        guest = new RepeatingGuest(new Syscalls(CountedLibc.REAL), pair[0]);
        guest.createAndRemove("warm"); // the thread has found out who it is
    }

    private static void run(Backend backend) {
        try {
            backend.run();
        } catch (MalformedException | ErrnoException e) {
            throw new IllegalStateException(e);
        }
    }

    RepeatingGuest guest() {
        return guest;
    }

    /// The calls during `action`.
    Map<String, Long> all(Action action) throws Exception {
        counted.reset();
        action.run();
        return counted.counts();
    }

    /// The calls during `action`, without those for sleeping and calling, whose bounds are checked:
    /// how often that thread sleeps and calls is a matter of chance, but it calls once for each
    /// time that the guest has asked for it, and sleeps once for each kick. The last kick from
    /// before may end a sleep as well, and after all of them it goes to sleep.
    Map<String, Long> during(Action action) throws Exception {
        Pump pump = guest.pump();
        long kicks = pump.kicks();
        long wishes = pump.wishes();
        long requests = pump.requests();
        Map<String, Long> counts = all(action);

        long sleeps = counts.getOrDefault("epoll_wait", 0L);
        assertTrue(sleeps <= pump.kicks() - kicks + 2, "a sleep for each kick, and two more");
        long called = counts.getOrDefault("write", 0L);
        assertTrue(called <= pump.wishes() - wishes, "a call for each wish");
        assertTrue(called <= pump.requests() - requests, "a call for each request at most");
        counts.remove("epoll_wait");
        counts.remove("write");
        return counts;
    }

    @Override
    public void close() {
        guest.close();
        try {
            backend.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        fileSystem.close();
    }
}
