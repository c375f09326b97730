package vitrine.guest.experiment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import vitrine.fuse.FuseRequest;
import vitrine.guest.MachineOptions;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.guest.workload.BridgeGuest;
import vitrine.guest.workload.SimulatedGuest;
import vitrine.guest.workload.fio.FioSlice;
import vitrine.passthrough.PassthroughFs;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// Where experiments are done: the settings side by side, a bit of work in each, in turns, so that
/// whatever else the machine does meets all of them alike.
///
/// @param daemon empty for ours in this process, or what to start: `ours`, `c`, `rust`, a command
///     line
/// @param bridge whether this host's kernel is the guest, and fio the real one
/// @param rounds how many turns; the median counts, and with 0 nothing is measured
/// @param slice how long the work of a turn is
/// @param progress is told what is going on
public record Bench(String daemon, boolean bridge, int rounds, Duration slice, Consumer<String> progress) {

    /// Of the file that is worked on, as fio writes it.
    static final String FILE_SIZE = "32M";

    private static final long FILE_BYTES = 32 << 20;
    private static final long MEMORY = 128L << 20;

    /// A guest that is ready, and the work in it.
    interface Contestant extends AutoCloseable {

        /// Works for about so long; what came of it.
        double work(Duration slice) throws IOException, InterruptedException;

        @Override
        void close() throws IOException;
    }

    /// Work in a simulated guest.
    interface Work {
        double in(Setting setting, SimulatedGuest guest, Duration slice) throws IOException, InterruptedException;
    }

    /// @throws IOException if the daemon is another one
    void requireOurs(String experiment, String reason) throws IOException {
        if (!daemon.isEmpty() || bridge) {
            throw new IOException(experiment + ": " + reason + "; without --daemon and --guest");
        }
    }

    /// @throws IOException if the guest is not simulated
    void requireSimulator(String experiment, String reason) throws IOException {
        if (bridge) {
            throw new IOException(experiment + ": " + reason + "; without --guest");
        }
    }

    /// Measures a job of fio's; nothing if there are no rounds.
    ///
    /// @return one for each setting
    List<Row.Range> measure(String what, List<Setting> settings, FioSlice job)
            throws IOException, InterruptedException {
        return bridge
                ? compete(what, settings, (setting, folder) -> onBridge(setting, folder, job))
                : measure(what, settings, (_, guest, time) -> job.mibPerSecond(guest.machine(), time));
    }

    /// Measures work in a simulated guest, likewise.
    List<Row.Range> measure(String what, List<Setting> settings, Work work) throws IOException, InterruptedException {
        return compete(what, settings, (setting, folder) -> simulated(setting, folder, work));
    }

    /// Measures the same work where it is done: the microseconds that our daemon takes for a
    /// request.
    ///
    /// @param counted which requests are meant
    List<Row.Range> measureInServer(String what, List<Setting> settings, Work work, Predicate<FuseRequest> counted)
            throws IOException, InterruptedException {
        return compete(what, settings, (setting, folder) -> inServer(setting, folder, work, counted));
    }

    private interface Start {
        Contestant of(Setting setting, Path folder) throws IOException, InterruptedException, GuestFailedException;
    }

    private List<Row.Range> compete(String what, List<Setting> settings, Start start)
            throws IOException, InterruptedException {
        if (rounds == 0) {
            return List.of();
        }
        List<Contestant> contestants = new ArrayList<>();
        try (TemporaryFolder folder = TemporaryFolder.named("vitrine-experiment-")) {
            try {
                for (Setting setting : settings) {
                    Path own = Files.createDirectory(folder.path().resolve("at-" + contestants.size()));
                    share(own);
                    contestants.add(start.of(setting, own));
                }
                return inTurns(what, contestants);
            } finally {
                for (Contestant contestant : contestants) {
                    contestant.close();
                }
            }
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// A share that all users may write to, and the file in it.
    private static Path share(Path folder) throws IOException {
        Path share = folder.resolve("share");
        if (!Files.exists(share)) {
            Files.createDirectory(share);
            Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwxrwxrwx"));
            Path file = share.resolve(FioSlice.FILE);
            try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
                made.setLength(FILE_BYTES);
            }
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        }
        return share;
    }

    private Contestant simulated(Setting setting, Path folder, Work work)
            throws IOException, InterruptedException, GuestFailedException {
        MachineOptions machine =
                MachineOptions.DEFAULT.withKernel(setting.kernel()).withMemory(MEMORY);
        SimulatedGuest guest = daemon.isEmpty()
                ? SimulatedGuest.inProcess(share(folder), setting.daemon(), machine)
                : SimulatedGuest.started(program(setting), share(folder), machine);
        return new Contestant() {
            @Override
            public double work(Duration time) throws IOException, InterruptedException {
                return work.in(setting, guest, time);
            }

            @Override
            public void close() throws IOException {
                guest.close();
            }
        };
    }

    private static Contestant inServer(Setting setting, Path folder, Work work, Predicate<FuseRequest> counted)
            throws IOException {
        try {
            Syscalls sys = new Syscalls(Libc.load());
            MachineOptions machine = setting.machine();
            String share = share(folder).toString();
            PassthroughFs real = new PassthroughFs(
                    sys, share, setting.daemon(), machine.dax().window());
            Stopwatch stopwatch = new Stopwatch(real, counted);
            SimulatedGuest guest = SimulatedGuest.stepped(stopwatch, real, machine);
            return new Contestant() {
                @Override
                public double work(Duration time) throws IOException, InterruptedException {
                    stopwatch.reset();
                    work.in(setting, guest, time);
                    return stopwatch.micros();
                }

                @Override
                public void close() throws IOException {
                    guest.close();
                }
            };
        } catch (ErrnoException e) {
            throw new IOException(folder + ": " + e.getMessage(), e);
        }
    }

    private Contestant onBridge(Setting setting, Path folder, FioSlice job)
            throws IOException, InterruptedException, GuestFailedException {
        Path mountPoint = Files.createDirectory(folder.resolve("mount"));
        BridgeGuest guest = daemon.isEmpty()
                ? BridgeGuest.inProcess(share(folder), setting.daemon(), mountPoint)
                : BridgeGuest.started(program(setting), share(folder), mountPoint);
        return new Contestant() {
            @Override
            public double work(Duration time) throws IOException, InterruptedException {
                return job.byRealFio(mountPoint, time);
            }

            @Override
            public void close() throws IOException {
                guest.close();
            }
        };
    }

    private DaemonProgram program(Setting setting) throws IOException, InterruptedException, GuestFailedException {
        return DaemonProgram.of(daemon, setting.optionsOf(daemon));
    }

    private List<Row.Range> inTurns(String what, List<Contestant> contestants)
            throws IOException, InterruptedException {
        List<List<Double>> seen = new ArrayList<>();
        for (Contestant contestant : contestants) {
            progress.accept(what + ": warming up");
            contestant.work(slice);
            seen.add(new ArrayList<>());
        }
        for (int round = 1; round <= rounds; round++) {
            progress.accept(what + ": round " + round + " of " + rounds);
            for (int i = 0; i < contestants.size(); i++) {
                seen.get(i).add(contestants.get(i).work(slice));
            }
        }
        return seen.stream().map(Row.Range::of).toList();
    }
}
