package vitrine.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/// The page about the protocol says what the code does.
class ProtocolTableTest {

    private static final String REMEDY = ProtocolTables.FILE
            + " is not what the code says: look at the difference, then VITRINE_REGENERATE=1 ./vitrine test"
            + " ProtocolTableTest";

    /// Caught: a reason in `InitDecision`, a sentence of an opcode, and an option's description
    /// that were changed in the code alone; a case of `PassthroughFs.obey` that refuses.
    @Test
    void thePageIsWhatTheCodeSays() throws Exception {
        String made = ProtocolTables.text();
        if ("1".equals(System.getenv("VITRINE_REGENERATE"))) {
            Files.writeString(Repository.ROOT.resolve(ProtocolTables.FILE), made);
        }

        assertEquals(made, Repository.read(ProtocolTables.FILE), REMEDY);
    }
}
