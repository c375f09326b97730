package vitrine.guest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vitrine.daemon.VirtioFsDevice;
import vitrine.fuse.FileSystem;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.frontend.Eventfds;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.GuestMove;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.Manners;
import vitrine.guest.frontend.WindowMemory;
import vitrine.guest.frontend.WriteLog;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.session.FuseSession;
import vitrine.vhostuser.Backend;
import vitrine.vhostuser.Connection;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.VirtioDevice;
import vitrine.wire.MalformedException;

/// A device behind a vhost-user socket: of another process, or of threads of this one.
final class SocketDevice implements Device {

    private static final String TAG = "share";

    private Frontend frontend;
    private Thread backend; // null if it is another process
    private final List<Line> lines = new ArrayList<>();

    private SocketDevice(Syscalls sys, UnixSocket socket, MachineOptions options, Thread backend)
            throws FrontendException, ErrnoException {
        this.backend = backend;
        FrontendOptions wanted = FrontendOptions.of(
                        Manners.QEMU_11, options.memory().bytes())
                .withPatience(options.patience())
                .withoutFeatures((options.rings().eventIndex() ? 0 : Features.EVENT_IDX)
                        | (options.rings().indirect() ? 0 : Features.INDIRECT_DESC))
                .withWindow();
        frontend = Frontend.connect(sys, socket, options.rings().packed() ? wanted.withPackedRings() : wanted);
        boolean indirect = (frontend.features() & Features.INDIRECT_DESC) != 0;
        for (FrontendQueue queue : frontend.startQueues(options.rings().size())) {
            Doorbell bells = new Eventfds(sys, queue);
            lines.add(new Line(queue.ring(), indirect, bells));
        }
    }

    static SocketDevice connect(Path path, MachineOptions options, Onlooker onlooker)
            throws FrontendException, ErrnoException {
        Syscalls sys = HostKernel.CALLS;
        return new SocketDevice(sys, UnixSocket.connect(sys, path), options, null);
    }

    static SocketDevice inProcess(FileSystem fileSystem, MachineOptions options, Onlooker onlooker)
            throws FrontendException, ErrnoException {
        UnixSocket[] pair = UnixSocket.pair(HostKernel.CALLS);
        Thread thread = serve(pair[1], fileSystem, options, onlooker);
        return new SocketDevice(HostKernel.CALLS, pair[0], options, thread);
    }

    private static Thread serve(UnixSocket socket, FileSystem fileSystem, MachineOptions options, Onlooker onlooker) {
        Syscalls sys = HostKernel.CALLS;
        FuseSession session = new FuseSession(onlooker.tap(fileSystem), fileSystem);
        VirtioDevice device = onlooker.tap(
                new VirtioFsDevice(sys, session, 1, TAG, options.dax().window()));
        Connection connection = onlooker.tap(Connection.over(socket));
        return Thread.ofPlatform().daemon().name("vhost-user").start(() -> serve(new Backend(connection, device, sys)));
    }

    @Override
    public WriteLog beginLog() throws FrontendException, ErrnoException {
        return frontend.beginLog();
    }

    @Override
    public void moveTo(Path socket) throws FrontendException, ErrnoException {
        frontend = GuestMove.move(frontend, UnixSocket.connect(HostKernel.CALLS, socket));
        backend = null;
    }

    @Override
    public void moveTo(FileSystem fileSystem, MachineOptions options) throws FrontendException, ErrnoException {
        UnixSocket[] pair = UnixSocket.pair(HostKernel.CALLS);
        Thread other = serve(pair[1], fileSystem, options, new Onlooker(null));
        frontend = GuestMove.move(frontend, pair[0]);
        backend = other;
    }

    private static void serve(Backend backend) {
        try (backend) {
            backend.run();
        } catch (MalformedException | ErrnoException e) {
            throw new IllegalStateException("the back end gave up: " + e.getMessage(), e);
        }
    }

    @Override
    public GuestRam ram() {
        return frontend.ram();
    }

    @Override
    public Optional<WindowMemory> window() {
        return frontend.window();
    }

    @Override
    public List<Line> lines() {
        return lines;
    }

    @Override
    public boolean isAlive() {
        return frontend.isConnected();
    }

    /// Leaves as QEMU does, and waits until a back end of our own has noticed.
    @Override
    public void close() {
        frontend.close();
        try {
            if (backend != null) {
                backend.join();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
