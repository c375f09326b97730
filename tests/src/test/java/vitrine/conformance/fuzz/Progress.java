package vitrine.conformance.fuzz;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Makes a line now and then of the many that the fuzzer says, and keeps all that are about
/// something that was found.
final class Progress {

    private static final long EVERY = 5_000_000_000L;
    private static final Pattern COUNTS = Pattern.compile("#(\\d+)\\s+(\\w+)\\s+cov: (\\d+) .*corp: (\\d+)/.*");
    private static final Pattern SEED = Pattern.compile("INFO: Seed: (\\d+)");

    private long last = System.nanoTime();
    private boolean found;

    void line(String line) {
        Matcher counts = COUNTS.matcher(line);
        Matcher seed = SEED.matcher(line);
        if (counts.matches()) {
            boolean end = counts.group(2).equals("DONE");
            if (end || System.nanoTime() - last > EVERY) {
                last = System.nanoTime();
                System.out.printf(
                        "%,d inputs, %s of them kept, %s branches seen%n",
                        Long.parseLong(counts.group(1)), counts.group(4), counts.group(3));
            }
        } else if (seed.matches()) {
            System.out.println("seed " + seed.group(1));
        } else if (found || line.startsWith("== ") || line.contains("ERROR: ")) {
            found = true;
            System.out.println(line);
        }
    }
}
