package vitrine.guest.workload;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import vitrine.guest.KernelOptions;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// `vitrine workload`: programs that do the same over and over, in a simulated guest.
@Command(
        name = "workload",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lets programs in a simulated guest do something over and over, and says how long each took.",
            "",
            "  append   some bytes more at the end of a file",
            "  lookup   stat(2) of the files of a directory",
            "  create   a new file, and away with it",
            "  tree     small files in many directories: each is written, looked at and read",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:it failed; standard error says why", "2:wrong usage"},
        footer = {
            "",
            "Example: a thousand programs, each of which makes and removes files",
            "  ./vitrine workload create --processes=1000 --count=10k --bytes=100",
            "Example: what do set-ID bits cost a kernel that clears them itself?",
            "  ./vitrine workload append --without=killpriv-v2"
        })
public final class WorkloadCommand implements Callable<Integer> {

    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};

    @Spec
    private CommandSpec spec;

    @Mixin
    private WhichGuest which;

    @Mixin
    private KernelOptions kernel;

    @Parameters(paramLabel = "WHAT", description = "${COMPLETION-CANDIDATES}", converter = WorkloadCommand.Named.class)
    private Workload workload;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "16k",
            description = "how often, by all programs together; k is 1024 (default: ${DEFAULT-VALUE})")
    private String count;

    @Option(
            names = "--bytes",
            paramLabel = "N",
            defaultValue = "5",
            description = "of a file, or of an append (default: ${DEFAULT-VALUE})")
    private String bytes;

    @Option(
            names = "--files",
            paramLabel = "N",
            defaultValue = "100",
            description = "of a directory (default: ${DEFAULT-VALUE})")
    private String files;

    @Option(
            names = "--processes",
            paramLabel = "N",
            defaultValue = "1",
            description = "how many programs; they are virtual threads (default: ${DEFAULT-VALUE})")
    private String processes;

    @Option(names = "--json", description = "print the result as JSON")
    private boolean json;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "draw what it took and how fast it went, too: FILE.svg or FILE.png")
    private Path plot;

    private Pace pace;

    /// Works, and prints what it took.
    @Override
    public Integer call() throws IOException, InterruptedException {
        long times = number("--count", count, Integer.MAX_VALUE);
        int programs = (int) number("--processes", processes, 10_000);
        if (plot != null && !Picture.isName(plot)) {
            throw new ParameterException(spec.commandLine(), "--plot=" + plot + ": a name that ends in .svg or .png");
        }
        Workload.Size size =
                new Workload.Size((int) number("--bytes", bytes, 1 << 20), (int) number("--files", files, 1_000_000));
        return which.run(kernel.kernel(), guest -> {
            Histogram all = new ConcurrentHistogram(3); // one for all: it has 93 KB
            long start = System.nanoTime();
            try {
                start = work(guest, size, times, programs, all);
            } catch (ErrnoException e) {
                boolean noMore = e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE;
                String advice = noMore ? advice(size, times, programs) : "";
                throw new IOException(workload + ": " + e.getMessage() + advice, e);
            }
            print(all, System.nanoTime() - start);
            if (plot != null) {
                draw(all);
            }
            return 0;
        });
    }

    private void draw(Histogram all) throws IOException {
        String title = "vitrine workload " + workload + ": " + all.getTotalCount() + " times, programs: " + processes;
        ResultPicture.write(
                plot,
                title,
                List.of(new ResultPicture.Times(workload.toString(), all)),
                new ResultPicture.Speed("times a second", 1, pace));
    }

    /// The daemon has a descriptor for each file that the guest knows, and one for each open file.
    private String advice(Workload.Size size, long times, int programs) throws IOException {
        long needed = switch (workload) {
            case APPEND, CREATE -> 2L * programs;
            case LOOKUP -> (size.files() + 1L) * programs;
            case TREE -> 3L * programs + times + times / size.files();
        };
        try {
            return String.format(
                    Locale.ROOT,
                    ": the daemon needs about %d descriptors for this and some for itself; a process here may have"
                            + " %d (ulimit -n): raise it, or take fewer --processes",
                    needed,
                    new Syscalls(Libc.load()).openFileLimit());
        } catch (ErrnoException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// A kind of work by its name.
    static final class Named implements ITypeConverter<Workload> {

        @Override
        public Workload convert(String name) {
            return Stream.of(Workload.values())
                    .filter(workload -> workload.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "there is no " + name + "; there is " + String.join(", ", names())));
        }

        private static List<String> names() {
            return Stream.of(Workload.values()).map(Workload::toString).toList();
        }
    }

    private long number(String option, String text, long most) {
        String digits = text.toLowerCase(Locale.ROOT).replaceFirst("[km]$", "");
        int shift = text.length() == digits.length()
                ? 0
                : text.toLowerCase(Locale.ROOT).endsWith("k") ? 10 : 20;
        if (!digits.matches("[0-9]{1,9}")
                || Long.parseLong(digits) << shift < 1
                || Long.parseLong(digits) << shift > most) {
            throw new ParameterException(
                    spec.commandLine(),
                    option + "=" + text + ": a number from 1 to " + most + ", with k or m behind it");
        }
        return Long.parseLong(digits) << shift;
    }

    /// @return when it began, after all programs had made ready
    private long work(SimulatedGuest guest, Workload.Size size, long times, int programs, Histogram all)
            throws ErrnoException, InterruptedException {
        List<Workload.Step> steps = new ArrayList<>();
        for (int process = 0; process < programs; process++) {
            GuestProcess program = guest.machine().ownProgram();
            steps.add(workload.on(program, process, size));
        }
        LongAdder done = new LongAdder();
        long start = System.nanoTime();
        pace = Pace.of(done::sum);
        try (Pace _ = pace;
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                TerminalLine _ = TerminalLine.every(_ -> done.sum() * 100 / times + "%", "auto")) {
            List<Future<?>> results = new ArrayList<>();
            for (int process = 0; process < programs; process++) {
                Workload.Step step = steps.get(process);
                long share = times / programs + (process < times % programs ? 1 : 0);
                results.add(threads.submit(() -> repeat(step, share, all, done)));
            }
            for (Future<?> result : results) {
                result.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ErrnoException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
        return start;
    }

    private static Void repeat(Workload.Step step, long times, Histogram all, LongAdder done) throws ErrnoException {
        for (long time = 0; time < times; time++) {
            long start = System.nanoTime();
            step.run(time);
            all.recordValue(System.nanoTime() - start);
            done.increment();
        }
        return null;
    }

    /// A time in the unit in which it has one to three digits before the point.
    private static String readable(long nanos) {
        if (nanos < 999_950) {
            return String.format(Locale.ROOT, "%.1f µs", nanos / 1e3);
        }
        return nanos < 999_950_000
                ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
                : String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }

    private void print(Histogram all, long nanos) {
        PrintWriter out = spec.commandLine().getOut();
        double seconds = nanos / 1e9;
        StringBuilder times = new StringBuilder();
        for (double percentile : PERCENTILES) {
            long took = all.getValueAtPercentile(percentile);
            times.append(
                    json
                            ? String.format(Locale.ROOT, ", \"p%s_us\": %.1f", percentile, took / 1e3)
                            : String.format(Locale.ROOT, "  %s %% in %s%n", percentile, readable(took)));
        }
        out.printf(
                Locale.ROOT,
                json
                        ? "{\"workload\": \"%s\", \"kernel\": \"%s\", \"count\": %d,"
                                + " \"seconds\": %.3f, \"per_second\": %.1f%s}%n"
                        : "%s in %s: %d times in %.3f s, %.1f a second%n%s",
                workload,
                kernel.kernel().name(),
                all.getTotalCount(),
                seconds,
                all.getTotalCount() / seconds,
                times);
        out.flush();
    }
}
