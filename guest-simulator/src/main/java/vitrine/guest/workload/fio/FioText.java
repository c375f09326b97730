package vitrine.guest.workload.fio;

import static vitrine.guest.workload.fio.Numbers.both;
import static vitrine.guest.workload.fio.Numbers.bytes;
import static vitrine.guest.workload.fio.Numbers.count;
import static vitrine.guest.workload.fio.Numbers.format;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Results as fio prints them for people, and for scripts that read what is meant for people.
///
/// What a process of a simulated guest does not have is left out: processor time, disk statistics.
final class FioText {

    static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ROOT);

    private static final String[] DEPTHS = {"1", "2", "4", "8", "16", "32", ">=64"};
    private static final String[] BATCHES = {"0", "4", "8", "16", "32", "64", ">=64"};
    private static final int COLUMNS = 73; // for percentiles
    private static final double KIB = 1 << 10;
    private static final double MIB = 1 << 20;

    private final List<String> lines = new ArrayList<>();

    /// What is printed before anything runs.
    List<String> head(List<FioJob> jobs) {
        int processes = 0;
        for (FioJob job : jobs) {
            String range = bytes(job.block(), "B") + "-" + bytes(job.block(), "B");
            lines.add(job.name() + ": (g=0): rw=" + job.access().word() + ", bs=(R) " + range + ", (W) " + range
                    + ", (T) " + range + ", ioengine=" + job.engine().name() + ", iodepth="
                    + job.engine().depth());
            if (job.processes() > 1) {
                lines.add("...");
            }
            processes += job.processes();
        }
        boolean threads = jobs.getFirst().report().threads();
        String what = threads ? "thread" : "process";
        lines.add(FioCommand.VERSION);
        lines.add("Starting " + processes + " " + what + (processes == 1 ? "" : threads ? "s" : "es"));
        return lines;
    }

    /// What is printed in the end.
    List<String> results(List<FioRun.Row> rows) {
        List<Flow> reads = rows.stream().map(row -> row.tally().read).toList();
        List<Flow> writes = rows.stream().map(row -> row.tally().write).toList();
        lines.add("");
        rows.forEach(row -> job(row, Flow.bytesPerSecond(reads), Flow.bytesPerSecond(writes)));
        lines.add("");
        lines.add("Run status group 0 (all jobs):");
        status("   READ", reads);
        status("  WRITE", writes);
        return lines;
    }

    /// @param readByAll bytes a second
    /// @param writtenByAll likewise
    private void job(FioRun.Row row, long readByAll, long writtenByAll) {
        Tally tally = row.tally();
        int error = tally.error == null ? 0 : tally.error.errno();
        lines.add(row.job().name() + ": (groupid=" + row.group() + ", jobs=" + tally.processes + "): err=" + pad(error)
                + ": pid=0: " + ZonedDateTime.now().format(DATE));
        flow("read", tally.read, "", readByAll);
        flow("write", tally.write, "; 0 zone resets", writtenByAll);
        latencies(tally);
        if (tally.sync.count() > 0) {
            lines.add("  fsync/fdatasync/sync_file_range:");
            latency("sync", tally.sync);
            percentiles("sync percentiles", tally.sync);
        }
        lines.add("  IO depths    : " + shares(DEPTHS, tally.depths, tally.ios()));
        lines.add("     submit    : " + shares(BATCHES, Tally.ONE_BY_ONE, 1));
        long takings = Arrays.stream(tally.completed).sum();
        lines.add("     complete  : " + shares(BATCHES, tally.completed, takings));
        lines.add("     issued rwts: total=" + tally.read.ios + "," + tally.write.ios + ",0," + tally.sync.count()
                + " short=" + tally.read.cutShort + "," + tally.write.cutShort + ",0,0 dropped=0,0,0,0");
        lines.add("     latency   : target=0, window=0, percentile=100.00%, depth="
                + row.job().engine().depth());
    }

    private static String pad(int number) {
        return format("%2d", number);
    }

    private void flow(String name, Flow flow, String end, long byAll) {
        if (flow.ios == 0) {
            return;
        }
        lines.add(
                "  " + name + ": IOPS=" + count((long) flow.perSecond()) + ", BW=" + both(flow.bytesPerSecond(), "B/s")
                        + "(" + bytes(flow.bytes, "B") + "/" + flow.millis + "msec)" + end);
        latency("slat", flow.submission);
        latency("clat", flow.completion);
        latency(" lat", flow.total);
        percentiles("clat percentiles", flow.completion);
        boolean large = flow.bandwidth.mean() > MIB * KIB;
        String unit = large ? "MiB" : "KiB";
        String share = format(", per=%.2f%%", flow.share(byAll));
        samples("   bw (  " + unit + "/s)", flow.bandwidth, large ? MIB : KIB, share);
        samples("   iops        ", flow.rate, 1, "");
    }

    /// A time's unit: the largest in which the numbers still differ.
    private record Unit(String name, long nanos) {

        static Unit of(long least, long most) {
            if (least > 2_000_000 && most > 99_999_999) {
                return new Unit("msec", 1_000_000);
            }
            return least > 2000 && most > 99_999 ? new Unit("usec", 1000) : new Unit("nsec", 1);
        }
    }

    private void latency(String name, Latency latency) {
        if (latency.count() == 0) {
            return;
        }
        Unit unit = Unit.of(latency.least(), latency.most());
        lines.add(format(
                "    %s (%s): min=%s, max=%s, avg=%5.2f, stdev=%5.2f",
                name,
                unit.name(),
                count(latency.least() / unit.nanos(), 6),
                count(latency.most() / unit.nanos(), 6),
                latency.mean() / unit.nanos(),
                latency.deviation() / unit.nanos()));
    }

    private void percentiles(String name, Latency latency) {
        if (latency.count() == 0) {
            return;
        }
        long[] values = latency.percentiles();
        Unit unit = Unit.of(values[0], values[values.length - 1]);
        int width = Math.max(
                5, Long.toString(values[values.length - 1] / unit.nanos()).length());
        int inALine = COLUMNS / (width + 12);
        lines.add("    " + name + " (" + unit.name() + "):");
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            line.append(format(
                    "%s%5.2fth=[%" + width + "d]",
                    line.isEmpty() ? "     | " : ", ",
                    Latency.PERCENTILES[i],
                    values[i] / unit.nanos()));
            boolean last = i == values.length - 1;
            if (last || (i + 1) % inALine == 0) {
                lines.add(line + (last ? "" : ","));
                line.setLength(0);
            }
        }
    }

    private void samples(String name, Samples samples, double unit, String share) {
        if (samples.count() > 0) {
            lines.add(format(
                    "%s: min=%5d, max=%5d%s, avg=%5.2f, stdev=%5.2f, samples=%d",
                    name,
                    (long) (samples.least() / unit),
                    (long) (samples.most() / unit),
                    share,
                    samples.mean() / unit,
                    samples.deviation() / unit,
                    samples.count()));
        }
    }

    private void latencies(Tally tally) {
        String[] units = {"nsec", "usec", "msec"};
        for (int unit = 0; unit < units.length; unit++) {
            List<String> shares = new ArrayList<>();
            int end = unit == units.length - 1 ? tally.inTime.length : 10 * (unit + 1);
            for (int i = 10 * unit; i < end; i++) {
                double share = 100.0 * tally.inTime[i] / Math.max(1, tally.ios());
                if (tally.inTime[i] > 0) {
                    shares.add(format("%s=%3.2f%%", inTimeName(i), share));
                }
            }
            for (int i = 0; i < shares.size(); i += 5) {
                String some = String.join(", ", shares.subList(i, Math.min(i + 5, shares.size())));
                lines.add("  lat (" + units[unit] + ")   : " + some);
            }
        }
    }

    /// How fio calls a count of [Tally#inTime].
    static String inTimeName(int column) {
        if (column == Tally.LIMITS.length) {
            return ">=2000";
        }
        long divisor = column < 10 ? 1 : column < 20 ? 1000 : 1_000_000;
        return Long.toString(Tally.LIMITS[column] / divisor);
    }

    private static String shares(String[] names, long[] counts, long all) {
        return IntStream.range(0, names.length)
                .mapToObj(i -> format("%s=%3.1f%%", names[i], 100.0 * counts[i] / Math.max(1, all)))
                .collect(Collectors.joining(", "));
    }

    private void status(String name, List<Flow> flows) {
        long[] speeds = flows.stream()
                .filter(flow -> flow.ios > 0)
                .mapToLong(Flow::bytesPerSecond)
                .sorted()
                .toArray();
        if (speeds.length == 0) {
            return;
        }
        long all = flows.stream().mapToLong(flow -> flow.bytes).sum();
        long[] times = flows.stream()
                .filter(flow -> flow.ios > 0)
                .mapToLong(flow -> flow.millis)
                .sorted()
                .toArray();
        long longest = times[times.length - 1];
        long slowest = speeds[0];
        long fastest = speeds[speeds.length - 1];
        lines.add(name + ": bw=" + both(Flow.bytesPerSecond(flows), "B/s") + ", " + bytes(slowest, "B/s") + "-"
                + bytes(fastest, "B/s") + " (" + count(slowest) + "B/s-" + count(fastest) + "B/s), io="
                + both(all, "B") + ", run=" + times[0] + "-" + longest + "msec");
    }

    /// How fio calls the depths of [Tally#depths].
    static List<String> depthNames() {
        return Arrays.asList(DEPTHS);
    }

    /// How fio calls numbers of I/Os that were submitted or completed at once.
    static List<String> batchNames() {
        return Arrays.asList(BATCHES);
    }
}
