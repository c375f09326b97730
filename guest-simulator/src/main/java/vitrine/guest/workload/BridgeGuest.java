package vitrine.guest.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import vitrine.dax.Window;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.Device;
import vitrine.guest.MachineOptions;
import vitrine.guest.bridge.Bridge;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.qemu.DaemonProcess;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// A share on a mount point of this host, for programs that are real: this host's kernel is the
/// guest's.
public final class BridgeGuest implements AutoCloseable {

    private static final int THREADS = 2;

    private final Bridge bridge;
    private final AutoCloseable daemon;

    private BridgeGuest(Bridge bridge, AutoCloseable daemon) {
        this.bridge = bridge;
        this.daemon = daemon;
    }

    /// Our daemon in this process.
    ///
    /// @param withheld flags of INIT that it does not get to see, as if this kernel had no such
    ///     feature
    /// @throws IOException if it cannot be mounted: it takes root and /dev/fuse
    public static BridgeGuest inProcess(Path share, PassthroughOptions options, Path mountPoint, InitFlag... withheld)
            throws IOException {
        requireMeans();
        Syscalls sys = new Syscalls(Libc.load());
        MachineOptions machine = Bridge.options();
        try {
            PassthroughFs fileSystem = OwnDaemon.share(sys, share, options, Window.none());
            Device device = Device.inProcess(new Unaware(fileSystem, withheld), machine);
            return new BridgeGuest(Bridge.mount(device, machine, mountPoint, sys, THREADS), fileSystem);
        } catch (ErrnoException | FrontendException e) {
            throw new IOException(mountPoint + ": " + e.getMessage(), e);
        }
    }

    /// A daemon in a process of its own.
    ///
    /// @throws IOException likewise
    public static BridgeGuest started(DaemonProgram program, Path share, Path mountPoint)
            throws IOException, InterruptedException {
        requireMeans();
        TemporaryFolder folder = TemporaryFolder.named("vitrine-socket-");
        AutoCloseable started = folder;
        try {
            Path socket = folder.path().resolve("socket");
            DaemonProcess process = DaemonProcess.start(program, socket, share, _ -> {});
            AutoCloseable both = () -> {
                process.close();
                folder.close();
            };
            started = both;
            process.awaitListening();
            MachineOptions machine = Bridge.options();
            Device device = Device.connect(socket, machine);
            return new BridgeGuest(Bridge.mount(device, machine, mountPoint, new Syscalls(Libc.load()), THREADS), both);
        } catch (ErrnoException | FrontendException | GuestFailedException e) {
            end(started);
            throw new IOException(mountPoint + ": " + e.getMessage(), e);
        }
    }

    /// The daemon that listens on a socket.
    ///
    /// @throws IOException likewise
    public static BridgeGuest connected(Path socket, Path mountPoint) throws IOException {
        requireMeans();
        try {
            MachineOptions machine = Bridge.options();
            Device device = Device.connect(socket, machine);
            return new BridgeGuest(
                    Bridge.mount(device, machine, mountPoint, new Syscalls(Libc.load()), THREADS), () -> {});
        } catch (ErrnoException e) {
            throw new IOException(e.getMessage(), e);
        } catch (FrontendException e) {
            throw new IOException("--socket-path=" + socket + ": " + e.getMessage(), e);
        }
    }

    private static void requireMeans() throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            throw new IOException("--guest=bridge mounts, which only root may");
        }
        if (!Files.exists(Path.of("/dev/fuse"))) {
            throw new IOException("--guest=bridge: there is no /dev/fuse on this machine (modprobe fuse)");
        }
    }

    private static void end(AutoCloseable started) throws IOException {
        try {
            started.close();
        } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Unmounts, and ends the daemon if it was started for it.
    @Override
    public void close() throws IOException {
        try (daemon) {
            bridge.close();
        } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
