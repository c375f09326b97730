package vitrine.guest.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import vitrine.guest.workload.fio.FioSlice;
import vitrine.posix.Fcntl;

/// Random writes with extended attributes: a guest that must look for file capabilities before each
/// write, and one that leaves the killing to the server.
final class KillPrivExperiment implements Experiment {

    private static final int BLOCK = 4096;

    /// fio's job, and what was reported for it.
    private record Job(String name, String options, int depth, List<Double> reported) {}

    private static final List<Job> JOBS = List.of(
            new Job(
                    "libaio, 64 at once",
                    "--ioengine=libaio --direct=1 --iodepth=64",
                    64,
                    List.of(Reported.KILLPRIV.before(), Reported.KILLPRIV.after())),
            new Job("psync", "--ioengine=psync", 1, List.of(35.0, 69.9)));

    @Override
    public String name() {
        return "killpriv";
    }

    @Override
    public String title() {
        return "4 KiB random writes with --xattr, FUSE_HANDLE_KILLPRIV_V2 off and on";
    }

    @Override
    public List<Row> run(Bench bench) throws IOException, InterruptedException {
        List<Setting> settings = bench.withKernel(Setting.killpriv("off", false), Setting.killpriv("on", true));
        List<Row> rows = new ArrayList<>();
        for (Job job : JOBS) {
            List<Counted> counted = new ArrayList<>();
            for (Setting setting : settings) {
                counted.add(Counted.in(setting, 0, randomWrites(job.depth > 1, BLOCK)));
            }
            FioSlice slice = FioSlice.of("--name=test --readwrite=randwrite --bs=4k --size=" + Bench.FILE_SIZE
                    + " "
                    + "--gtod_reduce=1 " + job.options);
            rows.add(new Row(
                    job.name,
                    settings.stream().map(Setting::name).toList(),
                    Row.Unit.MIB_PER_SECOND,
                    job.reported,
                    new Prediction(name(), 1, job.depth).mibPerSecond(counted, BLOCK, job.reported.getFirst()),
                    bench.measure(job.name, settings, slice),
                    counted.stream().map(Counted::counts).toList(),
                    List.of(new Row.Claim(0, 1)),
                    List.of()));
        }
        return rows;
    }

    /// Blocks of a file that is there already, one by one.
    static Counted.Script randomWrites(boolean direct, int block) {
        return new Counted.Script("pwrite", program -> {
            int flags = Fcntl.O_RDWR | Fcntl.O_CREAT | (direct ? Fcntl.O_DIRECT : 0);
            int fd = program.open("/counted", flags, 0600);
            byte[] data = new byte[block];
            program.ftruncate(fd, 16L * block);
            return time -> program.pwrite(fd, data, (long) (time * 7 % 16) * block);
        });
    }
}
