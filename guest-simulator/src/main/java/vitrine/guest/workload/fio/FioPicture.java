package vitrine.guest.workload.fio;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import vitrine.guest.workload.Pace;
import vitrine.guest.workload.ResultPicture;

/// What jobs took, as a picture.
final class FioPicture {

    private static final double MIB = 1 << 20;

    private FioPicture() {}

    static void write(Path file, List<FioRun.Row> rows, Pace pace) throws IOException {
        List<ResultPicture.Times> times = new ArrayList<>();
        for (FioRun.Row row : rows) {
            add(times, row.job().name() + ", read", row.tally().read);
            add(times, row.job().name() + ", write", row.tally().write);
        }
        String jobs = String.join(
                ", ", rows.stream().map(row -> row.job().name()).distinct().toList());
        ResultPicture.write(file, "vitrine fio: " + jobs, times, new ResultPicture.Speed("MiB/s", MIB, pace));
    }

    /// From the start of an I/O if that was measured, else from when it was handed over.
    private static void add(List<ResultPicture.Times> times, String name, Flow flow) {
        Latency latency = flow.total.count() > 0 ? flow.total : flow.completion;
        if (latency.count() > 0) {
            times.add(new ResultPicture.Times(name, latency.histogram()));
        }
    }
}
