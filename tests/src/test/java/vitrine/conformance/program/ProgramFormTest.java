package vitrine.conformance.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.guest.program.Client;
import vitrine.guest.program.Program;
import vitrine.guest.program.Programs;
import vitrine.guest.program.Seen;

/// The form in which programs are written.
class ProgramFormTest {

    private static final String HEAD = "# Chapter\nserver one: xattr\nserver two: killpriv=v2\n\n## p: claim\n";

    private static List<Seen> expected(String lines, Client client) {
        return Programs.chapter("test", HEAD + lines).programs().stream()
                .map(program -> program.steps().getFirst().expected(client))
                .toList();
    }

    /// A line that is indented is for whom it says: a server, a version, or both.
    ///
    /// Seen to catch: a condition that names no server taken for one server's.
    @Test
    void whatIsExpectedDependsOnServerAndVersion() {
        String lines = """
            stat f              | LOOKUP(/, f)
              two               | LOOKUP(/, f) → ENOENT
                                | GETATTR(f)
              before 6.6        | GETATTR(/)
            """;

        Seen two = new Seen("", List.of("LOOKUP(/, f) → ENOENT", "GETATTR(f)"));
        assertEquals(List.of(new Seen("", List.of("LOOKUP(/, f)")), two), expected(lines, new Client("6.12", true)));
        assertEquals(List.of(new Seen("", List.of("GETATTR(/)")), two), expected(lines, new Client("6.1", false)));
    }

    /// A line that makes no sense is refused, and named.
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            stat f LOOKUP(/, f)      ; test, line 6: neither a step (no |) nor anything else: stat f LOOKUP(/, f)
            server cache=often       ; test, line 6: No enum constant vitrine.passthrough.CachePolicy.OFTEN
            server loud              ; test, line 6: server loud: what is loud?
            needs luck               ; test, line 6: luck in: luck
            """)
    void aLineThatMakesNoSenseIsNamed(String line, String complaint) {
        assertEquals(
                complaint,
                assertThrows(IllegalArgumentException.class, () -> Programs.chapter("test", HEAD + line))
                        .getMessage());
    }

    /// Each program has a name of its own.
    @Test
    void namesAreUnique() {
        List<String> names = Programs.all().stream().map(Program::name).toList();

        assertEquals(names.size(), new HashSet<>(names).size());
    }
}
