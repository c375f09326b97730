package vitrine.guest.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import vitrine.guest.Device;
import vitrine.guest.MachineOptions;
import vitrine.guest.bridge.Bridge;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.qemu.AsItIs;
import vitrine.guest.qemu.DaemonProcess;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.posix.ErrnoException;
import vitrine.posix.FileProblem;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// `vitrine mount`: this host's kernel as the guest's kernel.
@Command(
        name = "mount",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Mounts a share on this host, but through all that a guest goes through: this host's kernel asks, the"
                    + " requests travel over virtqueues, and a virtiofsd answers. For fio, git, test suites and"
                    + " programs of yours, without a virtual machine. Needs root and /dev/fuse.",
            "It stays until the mount point is unmounted, or until Ctrl-C."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:somebody has unmounted it",
            "1:it cannot be mounted, or the daemon has gone",
            "2:wrong usage",
            "130, 143:unmounted because of Ctrl-C, of SIGTERM"
        },
        footer = {
            "",
            "Example: build a project on the C daemon",
            "  ./vitrine mount --shared-dir=/srv/project --daemon=c \\",
            "    --daemon-options='-o cache=always' /mnt &",
            "  make -C /mnt; umount /mnt"
        })
public final class MountCommand implements Callable<Integer> {

    private static final int LARGEST_QUEUE = 32768;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Where where;

    static final class Where {
        @Option(
                names = "--shared-dir",
                paramLabel = "DIR",
                description = "Share this directory, by a daemon of its own.")
        private Path sharedDir;

        @Option(
                names = "--socket-path",
                paramLabel = "S",
                description = "Mount what the virtiofsd serves that listens here.")
        private Path socket;
    }

    @Option(
            names = "--daemon",
            paramLabel = "WHICH",
            defaultValue = "ours",
            description =
                    "With --shared-dir: ours; c for QEMU's own virtiofsd, rust for the other; or a command line with"
                            + " {socket} and {dir} in it. Default: ${DEFAULT-VALUE}.")
    private String daemon;

    @Option(
            names = "--daemon-options",
            paramLabel = "\"...\"",
            preprocessor = AsItIs.class,
            description = "With --shared-dir: more options for the daemon.")
    private String daemonOptions = "";

    @Option(
            names = "--queue-size",
            paramLabel = "N",
            defaultValue = "128",
            description = "Descriptors in a virtqueue, a power of two. Default: ${DEFAULT-VALUE}.")
    private int queueSize;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "2",
            description = "Threads that take requests from the kernel. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Parameters(paramLabel = "MOUNTPOINT", description = "A directory.")
    private Path mountPoint;

    /// Mounts and waits; 0 when somebody has unmounted it.
    @Override
    public Integer call() throws IOException, InterruptedException, FrontendException, ErrnoException {
        require(threads >= 1, "--threads: 1 or more");
        require(
                Integer.bitCount(queueSize) == 1 && queueSize > 0 && queueSize <= LARGEST_QUEUE,
                "--queue-size=" + queueSize + ": a power of two, at most " + LARGEST_QUEUE);
        if (where.sharedDir != null) {
            FileProblem.requireFolder("--shared-dir=", where.sharedDir);
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            throw new IOException("only root may mount; try ./vitrine shell, which needs no mount");
        }
        requireFree();
        FileProblem.requireFolder("MOUNTPOINT ", mountPoint);
        if (!Files.exists(Path.of("/dev/fuse"))) {
            throw new IOException("there is no /dev/fuse on this machine (modprobe fuse)");
        }
        if (where.socket != null) {
            return serve(where.socket);
        }
        try (TemporaryFolder folder = TemporaryFolder.named("vitrine-mount-")) {
            Path socket = folder.path().resolve("socket");
            DaemonProgram program = DaemonProgram.of(daemon, daemonOptions);
            try (DaemonProcess process =
                    DaemonProcess.start(program, socket, where.sharedDir.toRealPath(), this::say)) {
                process.awaitListening();
                return serve(socket);
            }
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// A mount hides what is beneath, another mount too. One whose daemon has gone cannot even be
    /// looked at, so its path is not resolved then.
    private void requireFree() throws IOException {
        Path path = Files.exists(mountPoint)
                ? mountPoint.toRealPath()
                : mountPoint.toAbsolutePath().normalize();
        String field = " " + path.toString().replace("\\", "\\134").replace(" ", "\\040") + " "; // proc(5)
        try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mountinfo"))) {
            if (mounts.anyMatch(line -> line.contains(field))) {
                throw new IOException("something is mounted on " + path + " already: umount " + path
                        + " first, or take another folder");
            }
        }
    }

    private int serve(Path socket) throws IOException, InterruptedException, FrontendException, ErrnoException {
        MachineOptions options = Bridge.options().withQueueSize(queueSize);
        Syscalls sys = new Syscalls(Libc.load());
        Bridge bridge =
                Bridge.mount(Device.connect(socket, options), options, mountPoint.toAbsolutePath(), sys, threads);
        try (bridge) {
            say("mounted on " + mountPoint + "; umount it, or press Ctrl-C");
            bridge.await();
            return 0;
        }
    }

    private void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new CommandLine.ParameterException(spec.commandLine(), otherwise);
        }
    }

    private void say(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("vitrine mount: " + line);
        err.flush();
    }
}
