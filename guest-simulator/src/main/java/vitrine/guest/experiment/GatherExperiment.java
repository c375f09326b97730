package vitrine.guest.experiment;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import vitrine.fuse.FileRequest;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.workload.SimulatedGuest;
import vitrine.guest.workload.fio.FioSlice;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.WritePath;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// Writes of 1 MiB, which lie in 256 pages: each page by a system call, all gathered by one, or
/// copied together first.
final class GatherExperiment implements Experiment {

    private static final int BLOCK = 1 << 20;
    private static final int JOBS = 16;

    private static final List<Double> REPORTED = List.of(Reported.GATHER.before(), Reported.GATHER.after());

    @Override
    public String name() {
        return "gather";
    }

    @Override
    public String title() {
        return "1 MiB random writes of 16 jobs: a system call for each page, one that gathers them, copied together";
    }

    @Override
    public List<Row> run(Bench bench) throws IOException, InterruptedException {
        bench.where().requireOurs("gather", "only our daemon has several ways");
        List<Setting> settings = bench.withKernel(
                new Setting("page by page", options(WritePath.PIECEWISE), KernelProfile.LINUX_6_1),
                new Setting("gathered", options(WritePath.GATHERED), KernelProfile.LINUX_6_1),
                new Setting("bounced", options(WritePath.BOUNCED), KernelProfile.LINUX_6_1));
        List<Counted> counted = new ArrayList<>();
        for (Setting setting : settings) {
            counted.add(Counted.in(setting, 0, KillPrivExperiment.randomWrites(true, BLOCK)));
        }
        // Four at once of each are more than the daemon works on; the source had 64.
        FioSlice slice = FioSlice.of("-direct=1 -iodepth=4 -rw=randwrite -ioengine=libaio -bs=1M -size="
                + Bench.FILE_SIZE + " -numjob=" + JOBS + " -group_reporting -name=file");
        Row whole = new Row(
                "libaio, " + JOBS + " jobs",
                settings.stream().map(Setting::name).toList(),
                Row.Unit.MIB_PER_SECOND,
                REPORTED,
                new Prediction(name(), JOBS, 64).mibPerSecond(counted, BLOCK, REPORTED.getFirst()),
                bench.measure("16 jobs", settings, slice),
                counted.stream().map(Counted::counts).toList(),
                List.of(new Row.Claim(0, 1)),
                List.of());
        Row inServer = new Row(
                "a WRITE in the server",
                whole.settings(),
                Row.Unit.MICROS,
                List.of(),
                List.of(),
                bench.measureInServer(
                        "in the server", settings, GatherExperiment::write, FileRequest.Write.class::isInstance),
                whole.counts(),
                List.of(new Row.Claim(0, 1)),
                List.of());
        return bench.rounds() == 0 ? List.of(whole) : List.of(whole, inServer);
    }

    /// Writes for so long, block after block.
    private static double write(Setting setting, SimulatedGuest guest, Duration time) throws IOException {
        GuestProcess program = guest.machine().rootProgram();
        try {
            int fd = program.open("/" + FioSlice.FILE, Fcntl.O_RDWR | Fcntl.O_DIRECT);
            byte[] data = new byte[BLOCK];
            long start = System.nanoTime();
            int count = 0;
            while (System.nanoTime() - start < time.toNanos()) {
                program.pwrite(fd, data, (long) (count++ * 7 % 32) * BLOCK);
            }
            program.close(fd);
            return (System.nanoTime() - start) / 1e3 / count;
        } catch (ErrnoException e) {
            throw new IOException(setting.name() + ": " + e.getMessage(), e);
        }
    }

    private static PassthroughOptions options(WritePath path) {
        return PassthroughOptions.DEFAULT.withWritePath(path);
    }
}
