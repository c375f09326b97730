package vitrine.conformance.program;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import vitrine.conformance.rules.Needs;
import vitrine.guest.program.BridgeGuest;

/// Programs on this host's own kernel, over the bridge.
class BridgeProgramTest {

    /// Each step of each program sends what it should.
    ///
    /// Seen to catch: a server that agrees to KEEP_CACHE without being asked.
    @TestFactory
    Stream<DynamicTest> eachProgramSendsWhatItShould() throws Exception {
        Needs.root();
        Needs.file("/dev/fuse", "modprobe fuse");
        Needs.tool("gcc", "gcc libc6-dev");
        return Performances.all(new BridgeGuest())
                .map(performance -> DynamicTest.dynamicTest(
                        performance.program().name(), () -> Performances.requireAsExpected(performance)));
    }
}
