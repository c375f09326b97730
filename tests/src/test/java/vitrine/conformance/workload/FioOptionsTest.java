package vitrine.conformance.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.guest.workload.fio.FioCommand;

/// fio's command lines mean here what they mean to fio.
@Timeout(60)
class FioOptionsTest {

    private static Ours ours(String line) {
        return Ours.run(new FioCommand(), List.of(line.split(" ")));
    }

    /// Command lines of people who measured virtio-fs, word for word: from 2013's fio to today's.
    ///
    /// Caught: names that may not be cut short (`-numjob`).
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--ioengine=libaio --direct=1 --gtod_reduce=1 --name=test"
                        + " --filename=/mnt/virtiofs/random_read_write.fio --bs=4k --iodepth=64 --size=4G"
                        + " --readwrite=randwrite",
                "--ioengine=psync --name=test --filename=/mnt/virtiofs/random_read_write.fio --bs=4k --size=4G"
                        + " --readwrite=randwrite",
                "--ioengine=libaio --direct=1 --name=test --filename=/mnt/random_read_write.fio --bs=4k --iodepth=64"
                        + " --size=4G --readwrite=randwrite",
                "-direct=1 -time_based -iodepth=64 -rw=randwrite -ioengine=libaio -bs=1M -size=1G -numjob=16"
                        + " -runtime=30 -group_reporting -name=file -filename=/mnt/virtiofs/file"
            })
    void linesFromTheFieldAreUnderstoodAsTheyAre(String line) throws Exception {
        assertEquals(0, ours("--parse-only " + line).exit());

        assertEquals(
                0, RealFio.run(List.of(("--parse-only " + line).split(" "))).exit());
    }

    /// What fio does not take, we do not take; and what it takes we take, or say that we do not.
    ///
    /// Caught: an ambiguous name that means the first of several.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--size=1M",
                "--size 1M",
                "-size=1M",
                "--size=1M --nu=2",
                "--size=1M --numj=2",
                "--siz=1M --foo=1",
                "--size=1M --rw=bogus",
                "--size=1M --iodepth=abc",
                "--size=1M --group_reporting",
                "--size=1M --direct",
                "--size=1M --thread=0",
                "--size=1M --blocksize=8k",
                "--size=1M --time=1",
                "--size=1M --timeout=1",
                "--size=1M --direct=2",
                "--size=1M --loops=2",
                "--size=1M --rwmixread=101"
            })
    void whatFioRefusesIsRefused(String line) throws Exception {
        String job = "--parse-only --ioengine=psync --name=x --filename=/tmp/x " + line;

        RealFio real = RealFio.run(List.of(job.split(" ")));
        Ours ours = ours(job);

        assertEquals(real.exit() == 0, ours.exit() == 0, () -> line + "\n" + real.out() + ours.err());
    }

    private static final Pattern IOS = Pattern.compile("\"total_ios\" : ([1-9][0-9]*)");
    private static final Pattern BYTES = Pattern.compile("\"io_bytes\" : ([1-9][0-9]*)");

    private static List<String> amounts(String json) {
        List<String> found = new ArrayList<>();
        for (Pattern pattern : List.of(IOS, BYTES)) {
            for (Matcher match = pattern.matcher(json); match.find(); ) {
                found.add(match.group(1));
            }
        }
        return found;
    }

    /// So many I/Os of so many bytes, however the numbers are written.
    ///
    /// Caught: `kib` that is 1024; an `io_size` that is no more than `size`.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--bs=4k --size=40k",
                "--bs=4ki --size=40ki",
                "--bs=4KB --size=40kb",
                "--bs=4kib --size=40kib",
                "--bs=512 --size=1mb",
                "--bs=1M --size=8m --loops=2",
                "--bs=3k --size=10k",
                "--size=64k --io_size=128k",
                "--size=0x10000",
                "--size=64k --offset=64k",
                "--size=64k --number_ios=10",
                "--size=64k --numjobs=2",
                "--size=64k --numjobs=2 --group_reporting",
                "--bs=8k --name=global --bs=4k --name=y --size=32k",
                "--size=64k --io_size=32k",
                "--bs=4k --size=64k --rw=randwrite --norandommap"
            })
    void numbersMeanWhatTheyMeanToFio(String line) throws Exception {
        String name = line.contains("--name") ? "" : " --name=x";
        String start = "--output-format=json --rw=write --fallocate=none" + name + " --size=8k ";

        RealFio real = RealFio.run(List.of((start + "--ioengine=null " + line).split(" ")));
        Ours ours = ours(start + "--ioengine=psync " + line);

        assertEquals(0, ours.exit(), ours.err());
        assertEquals(amounts(real.out()), amounts(ours.out()), line);
    }

    /// Caught: an option that is known to fio, not to us, and passed over.
    @ParameterizedTest
    @ValueSource(strings = {"rate=1M", "verify=crc32c", "bssplit=4k/50", "thinktime=10", "stonewall", "nrfiles=4"})
    void whatIsNotDoneHereIsRefusedByItsName(String option) {
        Ours ours = ours("--name=x --size=1M --" + option);

        assertEquals(2, ours.exit());
        assertTrue(ours.err().contains("fio's option --" + option.split("=")[0] + " is not done here"), ours.err());
    }

    /// Caught: an ambiguous name that means the first of several.
    @Test
    void whatIsWrongIsSaid() {
        assertTrue(ours("--size=1M").err().contains("no job: --name=NAME begins one"));
        assertTrue(ours("jobs.fio").err().contains("fio --showcmd jobs.fio"));
        assertTrue(ours("--name=x --size=1M --n=2").err().contains("--n may be name,"));
        assertTrue(ours("--name=x --size=1M --ioengine=mmap").err().contains("expected psync, sync or libaio"));
        assertTrue(ours("--name=x").err().contains("--size is missing"));
        assertTrue(ours("--name=x --size=1M --filename=/a/b --mount-point=/c")
                .err()
                .contains("/a/b is not below"));
        assertNotEquals(
                0,
                ours("--name=x --size=1M --filename=/a/b --socket-path=/nobody").exit());
    }
}
