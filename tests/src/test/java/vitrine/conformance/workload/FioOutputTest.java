package vitrine.conformance.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.rules.Needs;
import vitrine.guest.workload.fio.FioCommand;

/// What is printed looks like what fio prints, and the numbers in it are so.
@Timeout(60)
class FioOutputTest {

    @TempDir
    private Path folder;

    private List<String> line(String line) {
        return List.of((line + " --filename=" + folder.resolve("data")).split(" "));
    }

    private Ours ours(String line, String... more) {
        List<String> words = new ArrayList<>(line(line));
        words.addAll(List.of(more));
        return Ours.run(new FioCommand(), words);
    }

    private static final Pattern FIELD = Pattern.compile("^( *)\"([^\"]+)\" : ([^,]*),?$");

    /// Each field with the fields around it, in their order; and its value, if it is one of those
    /// that do not depend on time.
    private static List<String> fields(String json) {
        List<String> fields = new ArrayList<>();
        List<String> around = new ArrayList<>();
        for (String text : json.lines().toList()) {
            Matcher field = FIELD.matcher(text);
            if (!field.matches()) {
                continue;
            }
            int depth = field.group(1).length() / 2;
            while (around.size() >= depth) {
                around.removeLast();
            }
            around.add(field.group(2));
            String path = String.join("/", around);
            boolean certain =
                    path.matches(".*/(total_ios|io_k?bytes|short_ios|drop_ios|N|jobname|groupid|error|[a-z_]*depth)")
                            || path.contains("job options")
                            || path.contains("iodepth_");
            String value = field.group(3).replaceAll("[{\\[]", "");
            String kind = value.startsWith("\"") ? "text" : value.contains(".") ? "decimal" : "number";
            fields.add(path + " " + (certain ? value : value.isEmpty() ? "" : kind));
        }
        fields.removeIf(path -> path.startsWith("disk_util")); // there is no disk
        return fields;
    }

    /// Caught: a field that is missing; I/Os that are taken back one by one in the end; an option
    /// without a value among those of the job.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--name=x --ioengine=psync --rw=write --bs=4k --size=256k",
                "--ioengine=libaio --direct=1 --name=x --rw=randwrite --bs=4k --iodepth=8 --size=256k",
                "--gtod_reduce=1 --name=x --ioengine=psync --rw=randread --bs=4k --size=256k",
                "--name=x --ioengine=sync --rw=write --size=256k --fsync=16 --end_fsync=1",
                "--name=x --ioengine=psync --rw=write --size=64k --numjobs=3 --group_reporting"
            })
    void jsonHasTheSameFieldsInTheSameOrder(String line) throws Exception {
        RealFio real = RealFio.run(line(line + " --output-format=json"));
        Ours ours = ours(line + " --output-format=json");

        assertEquals(0, ours.exit(), ours.err());
        assertIterableEquals(fields(real.out()), fields(ours.out()));
    }

    /// The lines without their numbers; those of what a simulated process does not have are left
    /// out, and so are those that come and go with the speed.
    private static List<String> shape(String text) {
        return text.lines()
                .filter(line -> !line.matches("  (cpu|lat \\(.sec\\)) .*|fio-.*|.*Laying out.*|  +\\|.*"))
                .takeWhile(line -> !line.startsWith("Disk stats"))
                .filter(line -> !line.isEmpty())
                .map(line -> line.replaceAll("[A-Z][a-z]{2} [A-Z][a-z]{2} +[0-9]+ [0-9:]+ [0-9]{4}", "DATE"))
                .map(line -> line.replaceAll("[numi]+sec\\)|(?<=[0-9])[kKMi]+(?=[B,)/-])", "UNIT"))
                .map(line -> line.replaceAll("[0-9.]+", "9")
                        .replaceAll("= *9[kM]?", "=9")
                        .replaceAll(" +", " "))
                .map(line -> line.replaceAll("9(UNIT)?B", "9B").replaceAll("=9UNIT", "=9"))
                .toList();
    }

    /// Caught: writes without `; 0 zone resets`.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--name=x --ioengine=psync --rw=write --bs=4k --size=256k",
                "--name=x --ioengine=psync --rw=randread --bs=4k --size=256k --numjobs=2 --thread",
                "--ioengine=libaio --direct=1 --gtod_reduce=1 --name=x --rw=randwrite --iodepth=64 --size=1M",
                "--name=x --ioengine=sync --rw=write --size=256k --fsync=16",
                "--name=x --rw=randrw --ioengine=libaio --direct=1 --size=256k --numjobs=2 --group_reporting"
            })
    void textHasTheSameLines(String line) throws Exception {
        RealFio real = RealFio.run(line(line));
        Ours ours = ours(line);

        assertIterableEquals(shape(real.out()), shape(ours.out()));
    }

    private static double figure(String name, String json) {
        Matcher figure = Pattern.compile("\"write\" : \\{.*?\"" + name + "\" : ([0-9.]+)", Pattern.DOTALL)
                .matcher(json);
        assertTrue(figure.find(), json);
        return Double.parseDouble(figure.group(1));
    }

    /// With `group_reporting` the samples of all processes together say the same as the result.
    ///
    /// Seen to catch: the mean of one process for that of all; a share that is 100 whatever was
    /// moved.
    @Test
    void theSamplesAgreeWithTheResult() {
        String line = "--name=x --ioengine=libaio --direct=1 --iodepth=64 --bs=256k --size=16M --rw=randwrite"
                + " --time_based --runtime=1600ms --output-format=json --numjobs=";

        String grouped = ours(line + "8 --group_reporting").out();
        String first = ours(line + "2").out();

        assertEquals(1, figure("bw_mean", grouped) / figure("bw", grouped), 0.4, grouped);
        assertEquals(100, figure("bw_agg", grouped), 40, grouped);
        assertEquals(24, figure("bw_samples", grouped), 8, grouped);
        assertTrue(figure("bw_agg", first) < 95, first);
    }

    /// Caught: writes that go nowhere.
    @Test
    void theDataIsInTheShare() throws Exception {
        Needs.root();
        Path share = Files.createDirectory(folder.resolve("share"));
        Path file = Files.createFile(Files.createDirectory(share.resolve("a")).resolve("b"));
        Files.setAttribute(file, "unix:uid", 1000);

        Ours ours = Ours.run(
                new FioCommand(),
                List.of(("--shared-dir=" + share + " --mount-point=/mnt --filename=/mnt/a/b --name=x --rw=randwrite"
                                + " --uid=1000 --gid=1000 --size=64k --fallocate=none --ioengine=libaio --direct=1"
                                + " --iodepth=4")
                        .split(" ")));

        assertEquals(0, ours.exit(), ours.err());
        byte[] bytes = Files.readAllBytes(file);
        assertEquals(64 << 10, bytes.length);
        for (int page = 0; page < bytes.length; page += 4096) {
            assertTrue(bytes[page + 1] != 0 || bytes[page + 2] != 0, "page at " + page + " was written");
        }
    }

    /// Caught: a file that is given to who runs the job, when it is laid out.
    @Test
    void anErrorOfTheGuestIsAnError() throws Exception {
        Path share = Files.createDirectory(folder.resolve("share"));

        Ours ours = ours("--name=x --rw=write --size=64k --uid=1000 --mount-point=/", "--shared-dir=" + share);

        assertEquals(1, ours.exit());
        assertTrue(ours.err().contains("EACCES"), ours.err());
    }

    /// In the same words as every command that connects to a daemon.
    ///
    /// Seen to catch: the option, and its file a second time, before them.
    @ParameterizedTest
    @ValueSource(strings = {"simulator", "bridge"})
    void whereNobodyListensIsSaid(String guest) {
        if (guest.equals("bridge")) {
            Needs.root();
            Needs.file("/dev/fuse", "modprobe fuse");
            Needs.tool("fio", "fio");
        }

        Ours ours = Ours.run(
                new FioCommand(),
                List.of(
                        "--guest=" + guest,
                        "--socket-path=/no/such",
                        "--name=x",
                        "--filename=/mnt/virtiofs/x",
                        "--size=4k"));

        assertEquals(1, ours.exit());
        assertEquals("nobody listens on /no/such: ENOENT (No such file or directory)", ours.err());
    }

    /// The real fio on a mounted share: its files are in the share, under the names that the
    /// command line gave them below the mount point, and what is not done here is left to it.
    ///
    /// Caught: names that are not moved to where the share is mounted.
    @Test
    void theRealFioRunsOnAMountedShare() throws Exception {
        Needs.root();
        Needs.file("/dev/fuse", "modprobe fuse");
        Needs.tool("fio", "fio");
        Path share = Files.createDirectory(folder.resolve("share"));
        Path out = folder.resolve("out");

        Ours ours = Ours.run(
                new FioCommand(),
                List.of(("--guest=bridge --shared-dir=" + share + " --output=" + out + " --name=x --rw=write --size=64k"
                                + " --ioengine=psync --filename=/mnt/virtiofs/data --rate_iops=100000")
                        .split(" ")));

        assertEquals(0, ours.exit(), ours.err());
        assertEquals(64 << 10, Files.size(share.resolve("data")));
        assertTrue(Files.readString(out).contains("issued rwts: total=0,16,0,0"), "it is the real one's output");
        assertEquals(2, ours("--name=x --guest=bridge --mount-point=/elsewhere").exit(), "a file outside");
    }
}
