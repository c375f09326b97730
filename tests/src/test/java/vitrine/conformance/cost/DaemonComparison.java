package vitrine.conformance.cost;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;

/// Compares daemons: the same guest, the same requests, in turns. A program, run by hand:
///
/// ```
/// java … vitrine.conformance.cost.DaemonComparison ROUNDS SHARE A.socket A.pid B.socket B.pid
/// ```
///
/// Both share `SHARE`, which is filled here. For each kind of request and each depth it prints what
/// a request cost the daemon's process: processor time, as the kernel accounts it by the nanosecond,
/// the time until it was answered, how often a thread of it went to sleep, and how many kicks and
/// calls it took. All as the median of the rounds, and B's as a ratio to A's.
final class DaemonComparison {

    private static final int[] DEPTHS = {1, 16};
    private static final String ONLY = System.getProperty("only", "");

    private final PrintStream out = System.out;
    private final int rounds;
    private final List<Subject> subjects = new ArrayList<>();

    /// A daemon, and the guest in front of it.
    private record Subject(long pid, CostGuest guest) {}

    /// What one run of some requests took.
    private record Sample(double cpu, double wall, double switches, double kicks, double calls) {
        double[] values() {
            return new double[] {cpu, wall, switches, kicks, calls};
        }
    }

    /// Some requests.
    private interface Load {
        /// @return how many requests it were
        long run(CostGuest guest, List<Pump.Slot> slots) throws Exception;
    }

    private DaemonComparison(int rounds) {
        this.rounds = rounds;
    }

    public static void main(String... arguments) throws Exception {
        DaemonComparison comparison = new DaemonComparison(Integer.parseInt(arguments[0]));
        Path share = Path.of(arguments[1]);
        fill(share);
        Syscalls sys = new Syscalls(Libc.load());
        for (int i = 2; i < arguments.length; i += 2) {
            CostGuest guest = new CostGuest(sys, UnixSocket.connect(sys, Path.of(arguments[i])));
            comparison.subjects.add(new Subject(Long.parseLong(arguments[i + 1]), guest));
        }
        comparison.compareAll();
        comparison.subjects.forEach(subject -> subject.guest().close());
    }

    private static void fill(Path share) throws IOException {
        Files.write(share.resolve("data"), new byte[CostGuest.FILE_BYTES]);
        Path many = Files.createDirectories(share.resolve("many"));
        for (int i = 0; i < CostGuest.ENTRIES; i++) {
            Path file = many.resolve("file-" + i);
            if (!Files.exists(file)) {
                Files.createFile(file);
            }
        }
    }

    private void compareAll() throws Exception {
        out.printf("%-22s %30s   %s%n", "", "A: cpu wall (µs) sleeps kicks calls", "B, and B/A");
        for (int depth : DEPTHS) {
            for (RequestKind kind : RequestKind.values()) {
                int times = 200;
                compare(kind + " depth " + depth, kind, (guest, slots) -> {
                    guest.pump().run(slots, depth, times);
                    return (long) slots.size() * times;
                });
            }
        }
        compare("CREATE cycle", null, (guest, _) -> {
            for (int i = 0; i < 500; i++) {
                guest.createAndRemove("new-" + i);
            }
            return 2000;
        });
        compare("READDIRPLUS, an entry", null, (guest, _) -> {
            for (int i = 0; i < 10; i++) {
                guest.listAll();
            }
            return 10L * CostGuest.ENTRIES;
        });
    }

    private void compare(String what, RequestKind kind, Load load) throws Exception {
        if (!what.matches(".*(" + ONLY + ").*")) {
            return;
        }
        List<List<Pump.Slot>> slots = new ArrayList<>();
        List<List<Sample>> samples = new ArrayList<>();
        for (Subject subject : subjects) {
            slots.add(kind == null ? List.of() : subject.guest().ready(kind));
            samples.add(new ArrayList<>());
            for (int i = 0; i < 6; i++) {
                load.run(subject.guest(), slots.getLast()); // warm
            }
        }
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < subjects.size(); i++) {
                samples.get(i).add(sample(subjects.get(i), load, slots.get(i)));
            }
        }
        report(what, samples);
        for (int i = 0; i < subjects.size(); i++) {
            subjects.get(i).guest().pump().discard(slots.get(i));
        }
    }

    private static Sample sample(Subject subject, Load load, List<Pump.Slot> slots) throws Exception {
        Pump pump = subject.guest().pump();
        long cpu = cpuNanos(subject.pid());
        long switches = sleeps(subject.pid());
        long kicks = pump.kicks();
        long calls = pump.calls();
        long start = System.nanoTime();
        double requests = load.run(subject.guest(), slots);
        long wall = System.nanoTime() - start;
        return new Sample(
                (cpuNanos(subject.pid()) - cpu) / 1e3 / requests,
                wall / 1e3 / requests,
                (sleeps(subject.pid()) - switches) / requests,
                (pump.kicks() - kicks) / requests,
                (pump.calls() - calls) / requests);
    }

    private void report(String what, List<List<Sample>> samples) {
        double[] first = median(samples.getFirst());
        StringBuilder line = new StringBuilder(what).append(" ".repeat(Math.max(1, 23 - what.length())));
        for (List<Sample> each : samples) {
            double[] values = median(each);
            line.append(String.format(
                    Locale.ROOT,
                    "%8.2f %8.2f %5.2f %5.2f %5.2f ",
                    values[0],
                    values[1],
                    values[2],
                    values[3],
                    values[4]));
            if (each != samples.getFirst()) {
                line.append(String.format(
                        Locale.ROOT, " cpu %.2f wall %.2f  ", values[0] / first[0], values[1] / first[1]));
            }
        }
        out.println(line);
    }

    private static double[] median(List<Sample> samples) {
        double[] medians = new double[5];
        for (int i = 0; i < medians.length; i++) {
            int at = i;
            double[] sorted = samples.stream()
                    .mapToDouble(sample -> sample.values()[at])
                    .sorted()
                    .toArray();
            medians[i] = sorted[sorted.length / 2];
        }
        return medians;
    }

    /// The processor time of all threads that the process has, by `/proc/PID/task/TID/schedstat`.
    private static long cpuNanos(long pid) throws IOException {
        long sum = 0;
        for (Path task : tasks(pid)) {
            sum += Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ")[0]);
        }
        return sum;
    }

    private static long sleeps(long pid) throws IOException {
        long sum = 0;
        for (Path task : tasks(pid)) {
            sum += Files.readAllLines(task.resolve("status")).stream()
                    .filter(line -> line.startsWith("voluntary_ctxt_switches"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
        return sum;
    }

    /// The threads of the process, and of the processes that it has started: the C daemon shuts
    /// itself into namespaces of its own that way.
    private static List<Path> tasks(long pid) throws IOException {
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        List<Path> tasks = new ArrayList<>();
        for (ProcessHandle each :
                Stream.concat(Stream.of(process), process.descendants()).toList()) {
            try (Stream<Path> threads = Files.list(Path.of("/proc/" + each.pid() + "/task"))) {
                threads.forEach(tasks::add);
            }
        }
        return tasks;
    }
}
