package vitrine.guest.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.workload.fio.FioSlice;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.WritePath;

/// Writes of 1 MiB, which lie in 256 pages: copied together first, or gathered by the host's
/// kernel.
final class GatherExperiment implements Experiment {

    private static final int BLOCK = 1 << 20;
    private static final int JOBS = 16;

    /// The source has MB of 1,048,576 bytes (fio 2).
    private static final List<Double> REPORTED = List.of(886.0, 1793.0);

    @Override
    public String name() {
        return "gather";
    }

    @Override
    public String title() {
        return "1 MiB random writes of 16 jobs, bounced and gathered";
    }

    @Override
    public List<Row> run(Bench bench) throws IOException, InterruptedException {
        bench.requireOurs("gather", "only our daemon can do both ways");
        List<Setting> settings = List.of(
                new Setting("bounced", options(WritePath.BOUNCED), KernelProfile.LINUX_6_1),
                new Setting("gathered", options(WritePath.GATHERED), KernelProfile.LINUX_6_1));
        List<Counted> counted = new ArrayList<>();
        for (Setting setting : settings) {
            counted.add(Counted.in(setting, 0, KillPrivExperiment.randomWrites(true, BLOCK)));
        }
        FioSlice slice = FioSlice.of("-direct=1 -iodepth=4 -rw=randwrite -ioengine=libaio -bs=1M -size="
                + Bench.FILE_SIZE + " -numjob=" + JOBS + " -group_reporting -name=file");
        return List.of(new Row(
                "libaio, " + JOBS + " jobs",
                settings.stream().map(Setting::name).toList(),
                Row.Unit.MIB_PER_SECOND,
                REPORTED,
                new Prediction(name(), JOBS, 64).mibPerSecond(counted, BLOCK, REPORTED.getFirst()),
                bench.measure("16 jobs", settings, slice),
                counted.stream().map(Counted::counts).toList(),
                List.of(new Row.Claim(0, 1)),
                List.of()));
    }

    private static PassthroughOptions options(WritePath path) {
        return PassthroughOptions.DEFAULT.withWritePath(path);
    }
}
