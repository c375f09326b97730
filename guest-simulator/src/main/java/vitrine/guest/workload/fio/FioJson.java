package vitrine.guest.workload.fio;

import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Results as fio's `--output-format=json` has them: the same fields in the same order.
///
/// What a process of a simulated guest does not have is 0: processor time, page faults.
final class FioJson {

    private static final double KIB = 1 << 10;

    private FioJson() {}

    /// @param kernel what is otherwise in the guest's; empty if nothing is
    static String of(FioCommandLine line, String kernel, List<FioRun.Row> rows) {
        ZonedDateTime now = ZonedDateTime.now();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("fio version", FioCommand.VERSION);
        if (!kernel.isEmpty()) {
            all.put("guest kernel", kernel);
        }
        all.put("timestamp", now.toEpochSecond());
        all.put("timestamp_ms", now.toInstant().toEpochMilli());
        all.put("time", now.format(FioText.DATE));
        if (!line.global().isEmpty()) {
            all.put("global options", line.global());
        }
        long read =
                Flow.bytesPerSecond(rows.stream().map(row -> row.tally().read).toList());
        long written =
                Flow.bytesPerSecond(rows.stream().map(row -> row.tally().write).toList());
        all.put("jobs", rows.stream().map(row -> job(row, read, written)).toList());
        all.put("disk_util", List.of());
        return Json.of(all);
    }

    /// @param readByAll bytes a second
    /// @param writtenByAll likewise
    private static Map<String, Object> job(FioRun.Row row, long readByAll, long writtenByAll) {
        Tally tally = row.tally();
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("jobname", row.job().name());
        job.put("groupid", row.group());
        job.put("error", tally.error == null ? 0 : tally.error.errno());
        job.put("eta", 0);
        job.put("elapsed", tally.millis / 1000 + 1);
        Map<String, String> options = new LinkedHashMap<>(row.job().given());
        options.values().removeIf(String::isEmpty);
        job.put("job options", options);
        job.put("read", flow(tally.read, readByAll));
        job.put("write", flow(tally.write, writtenByAll));
        job.put("trim", flow(new Flow(), 0));
        Map<String, Object> sync = new LinkedHashMap<>();
        sync.put("total_ios", tally.sync.count());
        sync.put("lat_ns", latency(tally.sync, true));
        job.put("sync", sync);
        job.put("job_runtime", tally.millis);
        job.put("usr_cpu", 0.0);
        job.put("sys_cpu", 0.0);
        job.put("ctx", 0);
        job.put("majf", 0);
        job.put("minf", 0);
        job.put("iodepth_level", shares(FioText.depthNames(), tally.depths, tally.ios()));
        job.put("iodepth_submit", shares(FioText.batchNames(), Tally.ONE_BY_ONE, 1));
        long takings = Arrays.stream(tally.completed).sum();
        job.put("iodepth_complete", shares(FioText.batchNames(), tally.completed, takings));
        latencies(job, tally);
        job.put("latency_depth", row.job().engine().depth());
        job.put("latency_target", 0);
        job.put("latency_percentile", 100.0);
        job.put("latency_window", 0);
        return job;
    }

    private static Map<String, Object> flow(Flow flow, long byAll) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("io_bytes", flow.bytes);
        map.put("io_kbytes", flow.bytes >> 10);
        map.put("bw_bytes", flow.bytesPerSecond());
        map.put("bw", flow.bytesPerSecond() >> 10);
        map.put("iops", flow.perSecond());
        map.put("runtime", flow.millis);
        map.put("total_ios", flow.ios);
        map.put("short_ios", flow.cutShort);
        map.put("drop_ios", 0);
        map.put("slat_ns", latency(flow.submission, false));
        map.put("clat_ns", latency(flow.completion, true));
        map.put("lat_ns", latency(flow.total, false));
        Samples bandwidth = flow.bandwidth;
        map.put("bw_min", (long) (bandwidth.least() / KIB));
        map.put("bw_max", (long) (bandwidth.most() / KIB));
        map.put("bw_agg", flow.share(byAll));
        map.put("bw_mean", bandwidth.mean() / KIB);
        map.put("bw_dev", bandwidth.deviation() / KIB);
        map.put("bw_samples", bandwidth.count());
        map.put("iops_min", (long) flow.rate.least());
        map.put("iops_max", (long) flow.rate.most());
        map.put("iops_mean", flow.rate.mean());
        map.put("iops_stddev", flow.rate.deviation());
        map.put("iops_samples", flow.rate.count());
        return map;
    }

    private static Map<String, Object> latency(Latency latency, boolean withPercentiles) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("min", latency.least());
        map.put("max", latency.most());
        map.put("mean", latency.mean());
        map.put("stddev", latency.deviation());
        map.put("N", latency.count());
        if (withPercentiles && latency.count() > 0) {
            Map<String, Object> percentiles = new LinkedHashMap<>();
            long[] values = latency.percentiles();
            for (int i = 0; i < values.length; i++) {
                percentiles.put(Numbers.format("%f", Latency.PERCENTILES[i]), values[i]);
            }
            map.put("percentile", percentiles);
        }
        return map;
    }

    private static Map<String, Object> shares(List<String> names, long[] counts, long all) {
        Map<String, Object> shares = new LinkedHashMap<>();
        for (int i = 0; i < counts.length; i++) {
            shares.put(names.get(i), 100.0 * counts[i] / Math.max(1, all));
        }
        return shares;
    }

    private static void latencies(Map<String, Object> job, Tally tally) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < tally.inTime.length; i++) {
            names.add(FioText.inTimeName(i));
        }
        Map<String, Object> shares = new LinkedHashMap<>();
        String[] units = {"latency_ns", "latency_us", "latency_ms"};
        for (int i = 0; i < tally.inTime.length; i++) {
            if (i % 10 == 0 && i / 10 < units.length) {
                shares = new LinkedHashMap<>();
                job.put(units[i / 10], shares);
            }
            shares.put(names.get(i), 100.0 * tally.inTime[i] / Math.max(1, tally.ios()));
        }
    }
}
