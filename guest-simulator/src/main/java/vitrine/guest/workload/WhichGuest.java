package vitrine.guest.workload;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import picocli.CommandLine.Option;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.qemu.AsItIs;
import vitrine.guest.qemu.AtExit;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.GuestStreams;
import vitrine.guest.qemu.HardwareOptions;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Share;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.FileProblem;

/// The options that say where a workload runs.
public final class WhichGuest {

    private static final String IN_PROCESS = "";
    private static final Duration LONGEST = Duration.ofHours(2); // of a real guest
    private static final long MEMORY = 256L << 20; // requests of 1 MiB, 64 at once, and as much for replies

    @Option(
            names = "--shared-dir",
            paramLabel = "DIR",
            description = "The folder that is shared (default: an empty one, which is removed in the end).")
    private Path sharedDir;

    @Option(names = "--socket-path", paramLabel = "S", description = "The daemon is the one that listens here.")
    private Path socket;

    @Option(
            names = "--daemon",
            paramLabel = "WHICH",
            defaultValue = IN_PROCESS,
            description = "The daemon is a process of its own: ours; c for QEMU's own virtiofsd, rust for the other;"
                    + " or a command line with {socket} and {dir} in it (default: ours, in this process, with"
                    + " --xattr).")
    private String daemon;

    @Option(
            names = "--daemon-options",
            paramLabel = "\"...\"",
            preprocessor = AsItIs.class,
            description = "With --daemon: more options for it.")
    private String daemonOptions = "";

    /// What is done in the guest.
    public interface Work {
        /// Does it; the exit code.
        int in(SimulatedGuest guest) throws IOException, InterruptedException;
    }

    /// What is done on a share that is mounted on this host.
    public interface MountedWork {
        /// Does it; the exit code.
        int at(Path mountPoint) throws IOException, InterruptedException;
    }

    /// Starts the guest, works in it and ends it.
    ///
    /// @param kernel the guest's
    /// @throws IOException if it cannot be had; the message says what to do
    public int run(KernelProfile kernel, Work work) throws IOException, InterruptedException {
        check();
        MachineOptions machine = MachineOptions.DEFAULT.withMemory(MEMORY).withKernel(kernel);
        if (socket != null) {
            try (SimulatedGuest guest = SimulatedGuest.connected(socket, machine)) {
                return work.in(guest);
            }
        }
        if (sharedDir != null) {
            return run(work, sharedDir.toRealPath(), machine);
        }
        try (TemporaryFolder folder = TemporaryFolder.named("vitrine-share-")) {
            return run(work, Files.createDirectory(folder.path().resolve("share")), machine);
        }
    }

    /// Mounts the share on this host, works there and unmounts it.
    ///
    /// @throws IOException if it cannot be had; the message says what to do
    public int mount(MountedWork work) throws IOException, InterruptedException {
        check();
        // Not in a folder that is deleted with all that is in it: what is mounted is somebody's.
        Path mountPoint = Files.createTempDirectory("vitrine-mount-");
        try (AtExit _ = AtExit.undo(() -> Files.delete(mountPoint));
                TemporaryFolder folder = TemporaryFolder.named("vitrine-share-")) {
            Path share =
                    sharedDir == null ? Files.createDirectory(folder.path().resolve("share")) : sharedDir.toRealPath();
            try (BridgeGuest _ = bridge(share, mountPoint)) {
                return work.at(mountPoint);
            }
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Boots a real guest on the share, runs a line of shell in it, with the output to ours, and
    /// ends it.
    ///
    /// @param program a program of this machine that the guest gets
    /// @throws IOException if it cannot be had; the message says what to do
    public int boot(HardwareOptions hardware, String line, String program) throws IOException, InterruptedException {
        check();
        require(socket == null, "--guest=qemu: a real guest is started with its daemon; without --socket-path");
        String which = daemon.equals(IN_PROCESS) ? "ours" : daemon;
        String options = daemon.equals(IN_PROCESS) ? "--xattr" : daemonOptions;
        try (TemporaryFolder folder = TemporaryFolder.named("vitrine-share-")) {
            Path share =
                    sharedDir == null ? Files.createDirectory(folder.path().resolve("share")) : sharedDir.toRealPath();
            QemuGuest guest = new QemuGuest(
                    hardware.small(LONGEST).with(program), Share.of(share), DaemonProgram.of(which, options));
            OutputStream out = new FileOutputStream(FileDescriptor.out); // bytes, not to be decoded
            OutputStream err = new FileOutputStream(FileDescriptor.err);
            Consumer<String> progress = text -> System.err.println(" ∙ " + text);
            return guest.run(line, new GuestStreams(InputStream.nullInputStream(), out, err, _ -> {}, progress))
                    .exitCode();
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private BridgeGuest bridge(Path share, Path mountPoint)
            throws IOException, InterruptedException, GuestFailedException {
        if (socket != null) {
            return BridgeGuest.connected(socket, mountPoint);
        }
        return daemon.equals(IN_PROCESS)
                ? BridgeGuest.inProcess(share, PassthroughOptions.DEFAULT.with(Feature.XATTR), mountPoint)
                : BridgeGuest.started(DaemonProgram.of(daemon, daemonOptions), share, mountPoint);
    }

    private void check() throws IOException {
        require(
                socket == null || sharedDir == null && daemon.equals(IN_PROCESS),
                "--socket-path: a daemon that listens has its folder already; without --shared-dir and --daemon");
        require(daemonOptions.isEmpty() || !daemon.equals(IN_PROCESS), "--daemon-options: for a --daemon");
        if (sharedDir != null) {
            FileProblem.requireFolder("--shared-dir=", sharedDir);
        }
    }

    private int run(Work work, Path share, MachineOptions machine) throws IOException, InterruptedException {
        try (SimulatedGuest guest = daemon.equals(IN_PROCESS)
                ? SimulatedGuest.inProcess(share, PassthroughOptions.DEFAULT.with(Feature.XATTR), machine)
                : SimulatedGuest.started(DaemonProgram.of(daemon, daemonOptions), share, machine)) {
            return work.in(guest);
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void require(boolean condition, String otherwise) throws IOException {
        if (!condition) {
            throw new IOException(otherwise);
        }
    }
}
