package vitrine.guest.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What a process has used so far, with those that it has started: the C daemon shuts itself into
/// namespaces of its own that way.
///
/// @param processorNanos processor time, by the nanosecond (`/proc/PID/task/TID/schedstat`)
/// @param sleeps how often a thread gave the processor up by itself
record ProcessCost(long processorNanos, long sleeps) {

    /// The cost up to now.
    static ProcessCost of(ProcessHandle process) throws IOException {
        long nanos = 0;
        long sleeps = 0;
        for (Path thread : threads(process)) {
            nanos +=
                    Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
            sleeps += Files.readAllLines(thread.resolve("status")).stream()
                    .filter(line -> line.startsWith("voluntary_ctxt_switches"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
        return new ProcessCost(nanos, sleeps);
    }

    private static List<Path> threads(ProcessHandle process) throws IOException {
        List<Path> threads = new ArrayList<>();
        for (ProcessHandle each :
                Stream.concat(Stream.of(process), process.descendants()).toList()) {
            try (Stream<Path> tasks = Files.list(Path.of("/proc/" + each.pid() + "/task"))) {
                tasks.forEach(threads::add);
            }
        }
        return threads;
    }
}
