package vitrine.conformance.fuzz;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import vitrine.posix.Libc;

/// Where the fuzzer comes in: it finds these two methods by their names.
public final class FuzzEntry {

    private static final int RLIMIT_FSIZE = 1;
    private static final long LARGEST_FILE = 16 << 20;

    private static FuzzTarget target;

    private FuzzEntry() {}

    /// Before the first input. No input may fill the disk of the machine that this runs on.
    public static void fuzzerInitialize() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocateFrom(JAVA_LONG, LARGEST_FILE, LARGEST_FILE);
            Libc.load().prlimit(0, RLIMIT_FSIZE, limit.address(), 0);
        }
        target = Targets.of(System.getProperty("vitrine.fuzz")).make();
    }

    /// One input.
    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        target.take(input);
    }
}
