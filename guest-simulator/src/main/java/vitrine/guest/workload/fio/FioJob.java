package vitrine.guest.workload.fio;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a job is to do: its options, checked, with fio's defaults.
///
/// @param name what it is called
/// @param given the options that are its own, as they were written
/// @param files what it reads and writes: names as they were written, or none: then each process
///     has a file of its own, called after job and process
/// @param directory where those are
/// @param access which way, and where
/// @param block bytes of each I/O
/// @param extent which part of the file, and how much of it
/// @param engine how I/Os are made
/// @param direct whether by O_DIRECT
/// @param processes how many do the same
/// @param pace when it is over, and what is waited for in between
/// @param reading percent of I/Os that read, where both occur
/// @param seed decides the order of blocks
/// @param everyBlockOnce whether a random order leaves none out and repeats none
/// @param who which user it runs as
/// @param report what is told of it
/// @param preallocation what is done with a new file before it is written
public record FioJob(
        String name,
        Map<String, String> given,
        List<String> files,
        String directory,
        Access access,
        int block,
        Extent extent,
        Engine engine,
        boolean direct,
        int processes,
        Pace pace,
        int reading,
        long seed,
        boolean everyBlockOnce,
        Who who,
        Report report,
        String preallocation) {

    private static final int MOST_PROCESSES = 4096;
    private static final int MOST_DEPTH = 4096;
    private static final int MOST_BLOCK = 1 << 30;

    /// Bytes of a file from an offset, and how many are moved in one loop.
    record Extent(long offset, long size, long amount) {}

    /// How I/Os are made: by one thread that waits, or up to a depth at once.
    ///
    /// @param name as fio calls it
    /// @param depth how many at once
    record Engine(String name, int depth) {

        /// Whether each I/O is one system call that returns when it is done.
        boolean waits() {
            return !name.equals("libaio");
        }
    }

    /// When a job is over, and what is waited for in between.
    ///
    /// @param runtime the longest time, or null
    /// @param timeBased whether it begins again until then
    /// @param loops how often it begins again otherwise
    /// @param numberOfIos the most that it does, 0 for no limit
    /// @param fsync after how many writes to wait for the disk, 0 for never
    /// @param dataOnly whether by fdatasync
    /// @param endFsync whether in the end too
    record Pace(
            Duration runtime,
            boolean timeBased,
            int loops,
            long numberOfIos,
            int fsync,
            boolean dataOnly,
            boolean endFsync) {}

    /// A user; 0 is root.
    record Who(int uid, int gid) {}

    /// @param grouped whether all processes of the job are one row
    /// @param submission whether the time until it was handed over is shown, and so on
    /// @param threads whether fio would have made threads
    /// @param removesFiles whether its files are removed afterwards
    record Report(
            boolean grouped,
            boolean submission,
            boolean completion,
            boolean total,
            boolean bandwidth,
            boolean threads,
            boolean removesFiles) {}

    /// @throws FioUsageException if fio would not understand it, or it is not done here
    static FioJob of(FioCommandLine line, Map<String, String> own) throws FioUsageException {
        Settings all = new Settings(line.all(own));
        String name = all.text("name", "fio");
        all.text("description", "");
        Access access = Access.of(all.text("rw", "read"));
        int block = all.number("bs", 4096, 1, MOST_BLOCK);
        long seed = all.bytes("randseed", 1);
        FioJob job = new FioJob(
                name,
                Collections.unmodifiableMap(own),
                files(all),
                all.text("directory", ""),
                access,
                block,
                extent(all, block),
                engine(all),
                direct(all),
                all.number("numjobs", 1, 1, MOST_PROCESSES),
                pace(all),
                reading(all),
                all.flag("randrepeat", true) || all.has("randseed") ? seed : System.nanoTime(),
                !all.flag("norandommap", false),
                new Who(all.number("uid", 0, 0, Integer.MAX_VALUE), all.number("gid", 0, 0, Integer.MAX_VALUE)),
                report(all),
                preallocation(all));
        all.requireNothingLeft();
        return job;
    }

    private static List<String> files(Settings all) throws FioUsageException {
        Optional<String> names = Optional.ofNullable(all.text("filename", null));
        if (names.isPresent() && names.get().contains(":")) {
            throw Settings.wrong("filename", names.get(), "one file");
        }
        return names.map(List::of).orElse(List.of());
    }

    private static Extent extent(Settings all, int block) throws FioUsageException {
        if (!all.has("size")) {
            throw new FioUsageException("--size is missing: how much of the file to read or write");
        }
        long size = all.bytes("size", 0);
        if (size < block) {
            throw Settings.wrong("size", all.text("size", ""), "at least a block, " + block);
        }
        return new Extent(all.bytes("offset", 0), size, all.bytes("io_size", size));
    }

    private static Engine engine(Settings all) throws FioUsageException {
        String engine = all.text("ioengine", "psync");
        int depth = all.number("iodepth", 1, 1, MOST_DEPTH);
        return switch (engine) {
            case "libaio" -> new Engine(engine, depth);
            case "sync", "psync" -> new Engine(engine, 1);
            default -> throw Settings.wrong("ioengine", engine, "psync, sync or libaio");
        };
    }

    private static boolean direct(Settings all) throws FioUsageException {
        return all.has("buffered") ? !all.flag("buffered", true) : all.flag("direct", false);
    }

    private static Pace pace(Settings all) throws FioUsageException {
        Duration runtime = all.time("runtime");
        boolean timeBased = all.flag("time_based", false);
        if (timeBased && runtime == null) {
            throw new FioUsageException("--time_based without --runtime would never end");
        }
        boolean dataOnly = all.has("fdatasync");
        int every = all.number(dataOnly ? "fdatasync" : "fsync", 0, 0, Integer.MAX_VALUE);
        return new Pace(
                runtime,
                timeBased,
                all.number("loops", 1, 1, Integer.MAX_VALUE),
                all.bytes("number_ios", 0),
                every,
                dataOnly,
                all.flag("end_fsync", false));
    }

    private static int reading(Settings all) throws FioUsageException {
        int writing = all.number("rwmixwrite", 50, 0, 100);
        return all.number("rwmixread", 100 - writing, 0, 100);
    }

    private static Report report(Settings all) throws FioUsageException {
        boolean reduced = all.flag("gtod_reduce", false);
        return new Report(
                all.flag("group_reporting", false),
                !all.flag("disable_slat", reduced),
                !all.flag("disable_clat", reduced),
                !all.flag("disable_lat", reduced),
                !all.flag("disable_bw_measurement", reduced),
                all.flag("thread", false),
                all.flag("unlink", false));
    }

    private static String preallocation(Settings all) throws FioUsageException {
        String value = all.text("fallocate", "native");
        return switch (value) {
            case "native", "posix", "1" -> "native";
            case "none", "0" -> "none";
            case "keep", "truncate" -> value;
            default -> throw Settings.wrong("fallocate", value, "none, native, posix, keep or truncate");
        };
    }

    /// The name of a process' file.
    String file(int process) {
        String name = files.isEmpty() ? this.name + "." + process + ".0" : files.getFirst();
        return directory.isEmpty() || name.startsWith("/") ? name : directory + "/" + name;
    }

    /// How large that file has to be.
    long fileSize() {
        return extent.offset() + extent.size();
    }
}
