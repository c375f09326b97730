package vitrine.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/// A missing need skips a test, unless skipping is forbidden; then it fails.
class NeedsTest {

    @Test
    void aNeedThatIsMetIsSilent() {
        assertDoesNotThrow(() -> Needs.tool("sh", "dash"));
        assertDoesNotThrow(() -> Needs.file("/dev/null", "mknod"));
    }

    @Test
    void aNeedThatIsNotMetStopsTheTest() {
        Throwable stopped = assertThrows(Throwable.class, () -> Needs.tool("no-such-program", "no-such-package"));

        assertTrue(stopped instanceof TestAbortedException || stopped instanceof AssertionError);
        assertTrue(stopped.getMessage().contains("apt-get install no-such-package"));
    }

    /// What a distribution does not have yet is skipped everywhere.
    ///
    /// Caught: `rare` that asks whether skips are failures.
    @Test
    void whatIsRareIsSkippedEverywhere() {
        assertThrows(TestAbortedException.class, () -> Needs.rare(false, "no newer QEMU"));
        assertDoesNotThrow(() -> Needs.rare(true, "no newer QEMU"));
    }

    @Test
    void skipsAreFailuresWhereTheyAreForbidden() {
        assertTrue(Needs.skipsAreFailures("1", null));
        assertTrue(Needs.skipsAreFailures(null, "true"));
        assertFalse(Needs.skipsAreFailures(null, "false"));
        assertFalse(Needs.skipsAreFailures("0", null));
    }
}
