package vitrine.guest.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import vitrine.guest.process.OwnUser;
import vitrine.guest.workload.fio.FioSlice;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;

/// Who pays for not knowing HANDLE_KILLPRIV_V2: each of the server's options, for root and for
/// others, with a server that knows it and with one that does not.
final class MatrixExperiment implements Experiment {

    private static final int BLOCK = 4096;
    private static final int USER = 1000;

    /// A row of what was reported: a client that does not know it, and one that does.
    private record Cell(boolean direct, boolean xattr, int uid, List<Double> reported) {

        String name() {
            String options = direct && xattr ? "allow_direct_io, xattr" : direct ? "allow_direct_io" : "none";
            return (xattr && !direct ? "xattr" : options) + (uid == 0 ? ", root" : ", user");
        }
    }

    private static final List<Cell> CELLS = List.of(
            new Cell(true, true, 0, List.of(50.2, 70.0)),
            new Cell(true, true, USER, List.of(44.6, 67.3)),
            new Cell(false, true, 0, List.of(52.8, 62.4)),
            new Cell(false, true, USER, List.of(54.5, 64.5)),
            new Cell(true, false, 0, List.of(Reported.DIRECT.after(), 63.1)),
            new Cell(true, false, USER, List.of(63.0, 59.3)),
            new Cell(false, false, 0, List.of(Reported.DIRECT.before(), 64.2)),
            new Cell(false, false, USER, List.of(63.9, 63.7)));

    @Override
    public String name() {
        return "matrix";
    }

    @Override
    public String title() {
        return "random writes by kernels without and with KILLPRIV_V2, for each option, user and server";
    }

    @Override
    public List<Row> run(Bench bench) throws IOException, InterruptedException {
        if (!OwnUser.now().isRoot()) {
            throw new IOException("matrix: its programs are root's and another user's, and to make files for both takes"
                    + " root; killpriv has those of one user");
        }
        List<Row> rows = new ArrayList<>();
        for (boolean server : new boolean[] {true, false}) {
            for (Cell cell : CELLS) {
                rows.add(row(bench, cell, server));
            }
        }
        return rows;
    }

    private Row row(Bench bench, Cell cell, boolean server) throws IOException, InterruptedException {
        PassthroughOptions options = PassthroughOptions.DEFAULT
                .with(Feature.XATTR, cell.xattr)
                .with(Feature.ALLOW_DIRECT_IO, cell.direct)
                .with(Feature.KILLPRIV_V2, server);
        List<Setting> settings = bench.withKernel(
                new Setting("without", options, Setting.client(false)),
                new Setting("with", options, Setting.client(true)));
        List<Counted> counted = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (Setting setting : settings) {
            Counted one = Counted.in(setting, cell.uid, KillPrivExperiment.randomWrites(true, BLOCK));
            counted.add(one);
            notes.add(setting.name() + ": " + String.join("; ", one.rules()));
        }
        FioSlice slice = FioSlice.of("--ioengine=libaio --direct=1 --iodepth=64 --name=test --readwrite=randwrite"
                + " --bs=4k --gtod_reduce=1 --size=" + Bench.FILE_SIZE
                + (cell.uid == 0 ? "" : " --uid=" + cell.uid + " --gid=" + cell.uid));
        String name = cell.name() + (server ? "" : ", server without");
        List<Double> reported = server ? cell.reported : List.of();
        boolean pays = server && cell.xattr;
        return new Row(
                name,
                settings.stream().map(Setting::name).toList(),
                Row.Unit.MIB_PER_SECOND,
                reported,
                new Prediction(name(), 1, 64).mibPerSecond(counted, BLOCK, server ? reported.getFirst() : 0),
                bench.measure(name, settings, slice),
                counted.stream().map(Counted::counts).toList(),
                pays ? List.of(new Row.Claim(0, 1)) : List.of(),
                notes);
    }
}
