package vitrine.guest.experiment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.MachineOptions;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.Share;
import vitrine.guest.workload.BootedGuest;
import vitrine.guest.workload.BridgeGuest;
import vitrine.guest.workload.SimulatedGuest;
import vitrine.guest.workload.fio.FioSlice;
import vitrine.passthrough.PassthroughFs;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// Which guests and which daemons compete, and where their shares lie.
///
/// @param guest whose kernel it is
/// @param hardware of a real guest; null for the others
/// @param daemon empty for ours, in this process if the guest is; or what to start: `ours`, `c`,
///     `rust`, a command line
/// @param folder of the host, in which the shares are made; null for where temporary files go
public record Where(Guest guest, Hardware hardware, String daemon, Path folder) {

    private static final long FILE_BYTES = 32 << 20;
    private static final long MEMORY = 256L << 20; // half of it for data: 16 jobs, 4 MiB each

    /// Whose kernel.
    public enum Guest {
        /// The model's.
        SIMULATOR,
        /// This host's own.
        BRIDGE,
        /// A real guest's.
        QEMU
    }

    /// Work in a simulated guest.
    public interface Work {

        /// What came of it, after about so long.
        double in(Setting setting, SimulatedGuest guest, Duration slice) throws IOException, InterruptedException;
    }

    /// The same in another folder.
    Where in(Path other) {
        return new Where(guest, hardware, daemon, other);
    }

    /// On which of the host's file systems the shares lie.
    String fileSystem() throws IOException {
        Path at = folder == null ? Path.of(System.getProperty("java.io.tmpdir")) : folder;
        return Files.getFileStore(at).type();
    }

    /// @throws IOException if the guest or the daemon is another one
    void requireOurs(String experiment, String reason) throws IOException {
        if (!daemon.isEmpty() || guest != Guest.SIMULATOR) {
            throw new IOException(experiment + ": " + reason + "; without --daemon and --guest");
        }
    }

    /// A job of fio's in one of the settings.
    Contestant fio(Setting setting, Path own, FioSlice job, Consumer<String> progress)
            throws IOException, InterruptedException, GuestFailedException {
        return switch (guest) {
            case SIMULATOR -> simulated(setting, own, (_, machine, time) -> job.mibPerSecond(machine.machine(), time));
            case BRIDGE -> onBridge(setting, own, job);
            case QEMU -> inQemu(setting, own, job, progress);
        };
    }

    /// Work of ours, in a simulated guest.
    Contestant simulated(Setting setting, Path own, Work work)
            throws IOException, InterruptedException, GuestFailedException {
        MachineOptions machine = setting.machine().withMemory(MEMORY);
        SimulatedGuest simulated = daemon.isEmpty()
                ? SimulatedGuest.inProcess(share(own), setting.daemon(), machine)
                : SimulatedGuest.started(program(setting), share(own), machine);
        return Contestant.of(time -> work.in(setting, simulated, time), simulated::close);
    }

    /// The same with our daemon on the guest's thread: the microseconds that it takes for a
    /// request.
    ///
    /// @param counted which requests are meant
    Contestant inServer(Setting setting, Path own, Work work, Predicate<FuseRequest> counted) throws IOException {
        try {
            MachineOptions machine = setting.machine();
            PassthroughFs real = new PassthroughFs(
                    new Syscalls(Libc.load()),
                    share(own).toString(),
                    setting.daemon(),
                    machine.dax().window());
            Stopwatch stopwatch = new Stopwatch(real, counted);
            SimulatedGuest stepped = SimulatedGuest.stepped(stopwatch, real, machine);
            return Contestant.of(
                    time -> {
                        stopwatch.reset();
                        work.in(setting, stepped, time);
                        return stopwatch.micros();
                    },
                    stepped::close);
        } catch (ErrnoException e) {
            throw new IOException(own + ": " + e.getMessage(), e);
        }
    }

    /// This host's kernel. What a setting's kernel does not know is kept from our daemon; another
    /// one is told not to know it either, and what both agree on is the same.
    private Contestant onBridge(Setting setting, Path own, FioSlice job)
            throws IOException, InterruptedException, GuestFailedException {
        Path mountPoint = Files.createDirectory(own.resolve("mount"));
        InitFlag[] withheld = setting.knowsV2() ? new InitFlag[0] : new InitFlag[] {InitFlag.HANDLE_KILLPRIV_V2};
        BridgeGuest mounted = daemon.isEmpty()
                ? BridgeGuest.inProcess(share(own), setting.daemon(), mountPoint, withheld)
                : BridgeGuest.started(program(setting.asAgreed()), share(own), mountPoint);
        return Contestant.of(time -> job.byRealFio(mountPoint, time), mounted::close);
    }

    /// A real guest. Its kernel cannot be told what not to know, so the daemon is.
    private Contestant inQemu(Setting setting, Path own, FioSlice job, Consumer<String> progress)
            throws IOException, InterruptedException, GuestFailedException {
        String which = daemon.isEmpty() ? "ours" : daemon;
        BootedGuest booted = BootedGuest.boot(
                hardware.with("fio"),
                Share.of(share(own)),
                DaemonProgram.of(which, setting.asAgreed().optionsOf(which)),
                line -> progress.accept(setting.name() + ": " + line));
        return Contestant.of(time -> job.inGuest(booted, time), booted::close);
    }

    private DaemonProgram program(Setting setting) throws IOException, InterruptedException, GuestFailedException {
        return DaemonProgram.of(daemon, setting.optionsOf(daemon));
    }

    /// A share that all users may write to, and the file in it.
    private static Path share(Path own) throws IOException {
        Path share = Files.createDirectory(own.resolve("share"));
        Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path file = share.resolve(FioSlice.FILE);
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(FILE_BYTES);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        return share;
    }
}
