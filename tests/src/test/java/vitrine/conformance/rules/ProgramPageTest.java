package vitrine.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import vitrine.guest.program.ProgramPage;

/// The page about the client says what the programs say, which other tests hold against kernels.
class ProgramPageTest {

    private static final String PAGE = "docs/client.md";
    private static final String REMEDY = PAGE + " is not what the programs say: look at the difference, then"
            + " VITRINE_REGENERATE=1 ./vitrine test ProgramPageTest";

    /// Seen to catch: a rule that was changed in a `.programs` file alone.
    @Test
    void thePageIsWhatTheProgramsSay() throws Exception {
        String made = ProgramPage.text();
        if ("1".equals(System.getenv("VITRINE_REGENERATE"))) {
            Files.writeString(Repository.ROOT.resolve(PAGE), made);
        }

        assertEquals(made, Repository.read(PAGE), REMEDY);
    }
}
