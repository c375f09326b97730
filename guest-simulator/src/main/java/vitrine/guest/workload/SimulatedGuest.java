package vitrine.guest.workload;

import java.io.IOException;
import java.nio.file.Path;
import vitrine.fuse.FileSystem;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
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

/// A machine for a workload, and the daemon in front of which it runs: ours in this process, a
/// process of its own, or one that is there already.
public final class SimulatedGuest implements AutoCloseable {

    private final Machine machine;
    private final AutoCloseable daemon; // null if it is somebody else's

    private SimulatedGuest(Machine machine, AutoCloseable daemon) {
        this.machine = machine;
        this.daemon = daemon;
    }

    /// A machine whose device works on the caller's thread, so that nobody has to be woken.
    ///
    /// @param fileSystem what answers
    /// @param owner is closed in the end
    public static SimulatedGuest stepped(FileSystem fileSystem, AutoCloseable owner, MachineOptions machine)
            throws IOException {
        try {
            return new SimulatedGuest(Machine.stepped(fileSystem, machine), owner);
        } catch (ErrnoException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Our daemon in this process, behind a socket pair.
    public static SimulatedGuest inProcess(Path share, PassthroughOptions options, MachineOptions machine)
            throws IOException {
        try {
            PassthroughFs fileSystem = OwnDaemon.share(
                    new Syscalls(Libc.load()), share, options, machine.dax().window());
            try {
                return new SimulatedGuest(Machine.inProcess(fileSystem, machine), fileSystem);
            } catch (ErrnoException | FrontendException e) {
                fileSystem.close();
                throw e;
            }
        } catch (ErrnoException | FrontendException e) {
            throw new IOException(share + ": " + e.getMessage(), e);
        }
    }

    /// A daemon in a process of its own.
    public static SimulatedGuest started(DaemonProgram program, Path share, MachineOptions machine)
            throws IOException, InterruptedException {
        TemporaryFolder folder = TemporaryFolder.named("vitrine-socket-");
        AutoCloseable all = folder;
        try {
            Path socket = folder.path().resolve("socket");
            DaemonProcess process = DaemonProcess.start(program, socket, share, _ -> {});
            all = () -> {
                process.close();
                folder.close();
            };
            process.awaitListening();
            return new SimulatedGuest(Machine.connect(socket, machine), all);
        } catch (ErrnoException | FrontendException | GuestFailedException e) {
            end(all);
            throw new IOException(e.getMessage(), e);
        }
    }

    /// The daemon that listens on a socket.
    public static SimulatedGuest connected(Path socket, MachineOptions machine) throws IOException {
        try {
            return new SimulatedGuest(Machine.connect(socket, machine), null);
        } catch (ErrnoException e) {
            throw new IOException(e.getMessage(), e);
        } catch (FrontendException e) {
            throw new IOException("--socket-path=" + socket + ": " + e.getMessage(), e);
        }
    }

    /// The guest.
    public Machine machine() {
        return machine;
    }

    /// Switches the guest off, and ends the daemon if it was started for it.
    @Override
    public void close() throws IOException {
        try {
            machine.close();
        } catch (ErrnoException e) {
            throw new IOException("at the unmount: " + e.getMessage(), e);
        } finally {
            end(daemon);
        }
    }

    private static void end(AutoCloseable what) throws IOException {
        try {
            if (what != null) {
                what.close();
            }
        } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
