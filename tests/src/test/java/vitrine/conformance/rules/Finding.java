package vitrine.conformance.rules;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.stream.Collectors;

/// A place where a rule is broken, in the form that editors and terminals make a link of.
///
/// @param file seen from the root of the repository
/// @param line counted from 1
/// @param message what is wrong, and why it matters
record Finding(String file, long line, String message) {

    /// Fails with all of them, if there are any: one run shows all that is to be done.
    static void failOn(List<Finding> findings) {
        if (!findings.isEmpty()) {
            fail(findings.stream().map(Finding::toString).sorted().collect(Collectors.joining("\n", "\n", "\n")));
        }
    }

    @Override
    public String toString() {
        return file + ":" + line + ": " + message;
    }
}
