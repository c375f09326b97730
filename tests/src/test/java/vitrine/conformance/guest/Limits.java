package vitrine.conformance.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// `docs/limits.md`: where a guest gets something else than the host would give, and what.
public final class Limits {

    /// A case: what is done, to which file, by whom.
    ///
    /// @param mode in octal, as `4777`
    /// @param caller `owner`, `member` …, see [Caller]
    public record Case(String deed, String mode, String caller, boolean capabilities) {}

    /// A row of the second table. Each list holds what it is about; `*` is anything.
    private record Limit(
            String name,
            List<String> agreements,
            List<String> deeds,
            List<String> modes,
            List<String> callers,
            List<String> capabilities,
            String outcome) {

        static Limit of(String row) {
            List<String> cells =
                    Arrays.stream(row.split("\\|")).skip(1).map(String::strip).toList();
            assertEquals(7, cells.size(), row);
            return new Limit(
                    cells.get(0),
                    list(cells.get(1)),
                    list(cells.get(2)),
                    list(cells.get(3)),
                    list(cells.get(4)),
                    list(cells.get(5)),
                    cells.get(6));
        }

        private static List<String> list(String cell) {
            return List.of(cell.split(", "));
        }

        boolean isAbout(String agreement, Case it) {
            return has(agreements, agreement)
                    && has(deeds, it.deed)
                    && has(modes, it.mode)
                    && has(callers, it.caller)
                    && has(capabilities, it.capabilities ? "yes" : "no");
        }

        private static boolean has(List<String> list, String value) {
            return list.contains("*") || list.contains(value);
        }
    }

    private final List<String> reasons;
    private final List<Limit> limits;
    private final Set<Limit> met = new HashSet<>();

    private Limits(List<String> reasons, List<Limit> limits) {
        this.reasons = reasons;
        this.limits = limits;
    }

    /// Reads them.
    public static Limits read() throws IOException {
        Path root = Path.of(System.getProperty("vitrine.root", ".."));
        List<String> reasons = new ArrayList<>();
        List<Limit> limits = new ArrayList<>();
        boolean where = false;
        for (String line : Files.readAllLines(root.resolve("docs/limits.md"))) {
            where |= line.equals("## Where");
            if (line.startsWith("| `") && where) {
                limits.add(Limit.of(line));
            } else if (line.startsWith("| `")) {
                reasons.add(line.substring(2, line.indexOf(" |", 2)));
            }
        }
        return new Limits(reasons, limits);
    }

    /// Requires that a case came out as on the host, or as a limit says; and that what a limit says
    /// is something else.
    public void require(String agreement, Case it, String onHost, String inGuest) {
        List<Limit> about =
                limits.stream().filter(limit -> limit.isAbout(agreement, it)).toList();
        assertTrue(about.size() < 2, () -> "two limits are about " + it + ": " + about);
        if (about.isEmpty()) {
            assertEquals(onHost, inGuest, () -> agreement + ": " + it);
            return;
        }
        String outcome = about.getFirst().outcome.replace("{mode}", it.mode);
        assertEquals(outcome, inGuest, () -> agreement + ": " + it + ", " + about);
        assertNotEquals(onHost, outcome, () -> agreement + ": " + it + " is as on the host: no limit");
        met.addAll(about);
    }

    /// Requires that each limit of these agreements was met, but for those about other deeds, and
    /// that each has its reason.
    public void requireAllMet(String agreement, List<String> deeds) {
        List<Limit> never = limits.stream()
                .filter(limit -> Limit.has(limit.agreements, agreement))
                .filter(limit -> deeds.stream().anyMatch(deed -> Limit.has(limit.deeds, deed)))
                .filter(limit -> !met.contains(limit))
                .toList();
        assertEquals(List.of(), never, agreement);
        assertEquals(
                new HashSet<>(reasons),
                new HashSet<>(limits.stream().map(Limit::name).toList()));
    }
}
