package vitrine.conformance.program;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import vitrine.conformance.dax.EndlessHost;
import vitrine.conformance.rules.Needs;
import vitrine.guest.program.ModelGuest;
import vitrine.guest.program.Performance;
import vitrine.guest.program.Program;
import vitrine.guest.program.Programs;

/// Programs on the model's kernel, which is to send what Linux sends.
class ModelProgramTest {

    private static final String LIST = "model-differs.txt";

    /// Each program sends what it should, as Linux 6.1 and as Linux 6.12, unless the list says that
    /// it does not; then it does not.
    ///
    /// Seen to catch: a name taken off the list.
    @TestFactory
    Stream<DynamicTest> eachProgramSendsWhatItShouldOrIsKnownToDiffer() throws Exception {
        Needs.root();
        Set<String> known = known();
        return Stream.concat(
                        Performances.all(new ModelGuest("6.1", false)), Performances.all(new ModelGuest("6.12", false)))
                .map(performance -> DynamicTest.dynamicTest(title(performance), () -> require(performance, known)));
    }

    /// Through a DAX window, likewise.
    ///
    /// Seen to catch: a write over the end of a file that is split there.
    @TestFactory
    Stream<DynamicTest> throughADaxWindowToo() throws Exception {
        EndlessHost.needed().close();
        Set<String> known = known();
        return Performances.all(new ModelGuest("6.12", true))
                .map(performance -> DynamicTest.dynamicTest(title(performance), () -> require(performance, known)));
    }

    private static void require(Performance performance, Set<String> known) {
        if (known.contains(title(performance))) {
            assertTrue(!performance.isAsExpected(), "the model does it now: take it off the list " + LIST);
        } else {
            Performances.requireAsExpected(performance);
        }
    }

    /// The list names programs that there are.
    @Test
    void whatIsKnownToDifferIsThere() throws Exception {
        Set<String> names = Programs.all().stream().map(Program::name).collect(Collectors.toSet());

        assertTrue(known().stream().allMatch(title -> names.contains(title.split(" ")[0])), known()::toString);
    }

    private static String title(Performance performance) {
        return performance.program().name() + " " + performance.client().version();
    }

    /// Lines of a program and a version.
    private static Set<String> known() throws Exception {
        try (InputStream in = ModelProgramTest.class.getResourceAsStream(LIST)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.toSet());
        }
    }
}
