package vitrine.conformance.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import vitrine.guest.program.Performance;
import vitrine.guest.program.Performer;
import vitrine.guest.program.Program;
import vitrine.guest.program.Programs;
import vitrine.guest.program.Seen;

/// What tests of all kernels do with programs.
final class Performances {

    private Performances() {}

    /// Has all programs performed that the client can perform.
    static Stream<Performance> all(Performer performer) throws Exception {
        List<Program> programs = Programs.all().stream()
                .filter(program -> program.isFor(performer.client()))
                .toList();
        return performer.perform(programs).stream();
    }

    /// Requires that each step was as it stands in the file.
    static void requireAsExpected(Performance performance) {
        assertEquals(
                text(performance, Performance.Row::expected),
                text(performance, Performance.Row::seen),
                performance.client().toString());
    }

    private interface Side {
        Seen of(Performance.Row row);
    }

    private static String text(Performance performance, Side side) {
        return performance.rows().stream().map(row -> row.call() + side.of(row)).collect(Collectors.joining("\n"));
    }
}
