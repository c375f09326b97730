package vitrine.guest.workload.fio;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import vitrine.guest.Machine;
import vitrine.guest.qemu.AtExit;
import vitrine.guest.qemu.ShellWords;
import vitrine.guest.workload.BootedGuest;
import vitrine.posix.ErrnoException;

/// A job of fio's that is run again and again, for a moment each time.
public final class FioSlice {

    /// The file that is read and written.
    public static final String FILE = "file";

    private static final int TERSE_READ = 6; // KiB a second; fields of fio's third terse format
    private static final int TERSE_WRITE = 47;

    private final List<String> words;

    private FioSlice(List<String> words) {
        this.words = words;
    }

    /// A job, by the words of a command line, without a file.
    public static FioSlice of(String line) {
        return new FioSlice(List.of(line.split(" +")));
    }

    /// The words, for a file in a folder and for so long.
    private List<String> timed(String folder, Duration time) {
        List<String> timed = new ArrayList<>(words);
        timed.addAll(List.of("--filename=" + folder + FILE, "--time_based", "--runtime=" + time.toMillis() + "ms"));
        return timed;
    }

    /// Lets the real fio run it for so long in a folder of this host; MiB a second, likewise.
    ///
    /// @throws IOException if there is no fio, or it fails; with its words
    public double byRealFio(Path folder, Duration time) throws IOException, InterruptedException {
        Process fio = new ProcessBuilder(command(folder + "/", time))
                .redirectErrorStream(true)
                .start();
        try (AtExit _ = AtExit.end(fio)) {
            fio.getOutputStream().close();
            String out = new String(fio.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return mibPerSecond(fio.waitFor(), out);
        }
    }

    /// The same in a real guest that has fio.
    public double inGuest(BootedGuest guest, Duration time) throws IOException, InterruptedException {
        BootedGuest.Answer answer = guest.run(ShellWords.quote(command("/mnt/", time)));
        return mibPerSecond(answer.status(), answer.output());
    }

    private List<String> command(String folder, Duration time) {
        List<String> command = new ArrayList<>(List.of("fio", "--output-format=terse", "--terse-version=3"));
        command.addAll(timed(folder, time));
        return command;
    }

    private static double mibPerSecond(int status, String out) throws IOException {
        String[] fields = out.lines()
                .filter(line -> line.startsWith("3;"))
                .findFirst()
                .orElse("")
                .split(";");
        if (status != 0 || fields.length <= TERSE_WRITE) {
            throw new IOException("fio failed: " + out.strip());
        }
        return (Double.parseDouble(fields[TERSE_READ]) + Double.parseDouble(fields[TERSE_WRITE])) / 1024;
    }

    /// Runs it for so long in a simulated guest; MiB a second, both directions together.
    ///
    /// @throws IOException if it fails
    public double mibPerSecond(Machine machine, Duration time) throws IOException, InterruptedException {
        try {
            FioCommandLine line = FioCommandLine.parse(timed("/", time));
            List<FioJob> jobs = new ArrayList<>();
            for (var job : line.jobs()) {
                jobs.add(FioJob.of(line, job));
            }
            double bytes = 0;
            double seconds = 0;
            for (FioRun.Row row : new FioRun(jobs).on(machine, new GuestPaths(Path.of("/")), _ -> {})) {
                if (row.tally().error != null) {
                    throw row.tally().error;
                }
                bytes += row.tally().read.bytes + row.tally().write.bytes;
                seconds = Math.max(seconds, row.tally().millis / 1000.0);
            }
            return bytes / 1048576 / seconds;
        } catch (FioUsageException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (ErrnoException e) {
            throw new IOException(words + ": " + e.getMessage(), e);
        }
    }
}
