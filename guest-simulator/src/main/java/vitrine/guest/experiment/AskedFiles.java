package vitrine.guest.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import vitrine.daemon.VirtioFsDevice;
import vitrine.dax.Window;
import vitrine.fuse.InodeRequest;
import vitrine.guest.compare.Pump;
import vitrine.guest.compare.RepeatingGuest;
import vitrine.guest.compare.RequestKind;
import vitrine.guest.compare.ShareOfFiles;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.memory.Mapper;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.session.FuseSession;
import vitrine.tap.TappedLibc;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.TraceClock;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.HostCall;
import vitrine.trace.TraceList;
import vitrine.vhostuser.Backend;
import vitrine.vhostuser.Connection;
import vitrine.wire.MalformedException;

/// Our daemon in this process, with a guest that looks up the same name over and over, and a
/// stopwatch at both ends.
final class AskedFiles implements AutoCloseable {

    private static final int AT_ONCE = 50; // requests between two looks at the clock

    private final TemporaryFolder folder;
    private final PassthroughFs fileSystem;
    private final Thread backend;
    private final RepeatingGuest guest;
    private final Stopwatch server;
    private final List<Pump.Slot> lookups;

    /// What one takes.
    record Micros(double server, double client) {}

    private AskedFiles(TemporaryFolder folder, PassthroughOptions options, Libc libc)
            throws ErrnoException, IOException {
        this.folder = folder;
        Path share = Files.createDirectory(folder.path().resolve("share"));
        ShareOfFiles.fill(share);
        Syscalls plain = new Syscalls(Libc.load());
        Window window = new Window(plain, Window.SMALLEST, plain::dup);
        window.use(new NoMapper());
        fileSystem = new PassthroughFs(new Syscalls(libc), share.toString(), options, window);
        server = new Stopwatch(fileSystem, request -> request instanceof InodeRequest.Lookup);
        UnixSocket[] pair = UnixSocket.pair(plain);
        FuseSession session = new FuseSession(server);
        Backend served = new Backend(Connection.over(pair[1]), new VirtioFsDevice(plain, session, 1, ""), plain);
        backend = Thread.ofPlatform().daemon().start(() -> run(served));
        try {
            guest = new RepeatingGuest(plain, pair[0]);
            lookups = guest.ready(RequestKind.LOOKUP);
        } catch (FrontendException | BrokenDeviceException | MalformedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    static AskedFiles serve(PassthroughOptions options) throws ErrnoException, IOException {
        return new AskedFiles(TemporaryFolder.named("vitrine-lookup-"), options, Libc.load());
    }

    private static void run(Backend backend) {
        try {
            backend.run();
        } catch (MalformedException | ErrnoException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Looks up for so long, one after the other.
    Micros lookups(Duration time) throws IOException {
        server.reset();
        long start = System.nanoTime();
        long count = 0;
        long passed = 0;
        while (passed < time.toNanos()) {
            pump(AT_ONCE);
            count += AT_ONCE;
            passed = System.nanoTime() - start;
        }
        return new Micros(server.micros(), passed / 1e3 / count);
    }

    private void pump(int times) throws IOException {
        try {
            guest.pump().run(lookups.subList(0, 1), 1, times);
        } catch (BrokenDeviceException | ErrnoException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// The system calls of one LOOKUP, counted with a daemon of their own.
    static Map<String, Double> hostCallsOfOne(PassthroughOptions options) throws ErrnoException, IOException {
        TraceList trace = new TraceList();
        Libc watched = TappedLibc.tap(Libc.load(), new Recorder(trace, TraceClock.wall(), Actor.DAEMON));
        try (AskedFiles daemon = new AskedFiles(TemporaryFolder.named("vitrine-lookup-"), options, watched)) {
            daemon.pump(AT_ONCE); // what is asked once
            trace.clear();
            daemon.pump(AT_ONCE);
            Map<String, Double> calls = new TreeMap<>();
            for (TraceEvent event : trace.events()) {
                if (event instanceof HostCall call) {
                    calls.merge(call.name(), 1.0 / AT_ONCE, Double::sum);
                }
            }
            return calls;
        }
    }

    @Override
    public void close() throws IOException {
        guest.close();
        try {
            backend.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        fileSystem.close();
        folder.close();
    }

    /// A front end that shows nothing: no file is mapped here.
    private static final class NoMapper implements Mapper {

        private static final Change REFUSED = new Change() {
            @Override
            public boolean isDone() {
                return true;
            }

            @Override
            public int errno() {
                return Errno.ENOSYS;
            }
        };

        @Override
        public Change map(Fd file, long fileOffset, long offset, long length) {
            file.close();
            return REFUSED;
        }

        @Override
        public Change unmap(long offset, long length) {
            return REFUSED;
        }

        @Override
        public void listen(Runnable bell) {}
    }
}
