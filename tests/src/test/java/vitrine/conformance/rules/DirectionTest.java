package vitrine.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Packages know each other in one direction only (see [Directions]).
class DirectionTest {

    @Test
    void noPackageReachesWhereItMustNot() {
        Finding.failOn(Repository.javaFiles().stream()
                .flatMap(file -> Directions.broken(file).stream())
                .toList());
    }

    @Test
    void anImportAgainstTheDirectionIsSeen() {
        List<Finding> findings = brokenIn("vitrine.session", "import vitrine.passthrough.held.InodeTable;");

        assertEquals(2, findings.getFirst().line());
        assertTrue(findings.getFirst().message().contains("vitrine.session must not use vitrine.passthrough"));
    }

    @Test
    void aPackageIsKnownByTheOneAroundItOnly() {
        assertEquals(
                0,
                brokenIn("vitrine.passthrough", "import vitrine.passthrough.held.InodeTable;")
                        .size());
        assertEquals(
                1,
                brokenIn("vitrine.passthrough.held", "import vitrine.passthrough.Share;")
                        .size());
    }

    @Test
    void aQualifiedNameAgainstTheDirectionIsSeen() {
        assertEquals(
                1, brokenIn("vitrine.wire", "class A { vitrine.posix.Fd fd; }").size());
    }

    @Test
    void onlyTheMachineJoinsGuestAndDaemon() {
        String anImport = "import vitrine.session.FuseSession;";
        assertEquals(0, brokenIn("vitrine.guest", anImport).size());
        assertEquals(1, brokenIn("vitrine.guest.kernel", anImport).size());
    }

    @Test
    void nativeCallsOutsideOfPosixAreSeen() {
        assertEquals(1, brokenIn("vitrine.memory", "import jnr.ffi.Pointer;").size());
        assertEquals(0, brokenIn("vitrine.posix", "import jnr.ffi.Pointer;").size());
    }

    @Test
    void aPackageWithoutAPlaceIsSeen() {
        assertEquals(
                1, brokenIn("vitrine.stranger", "import vitrine.wire.Buffers;").size());
    }

    @Test
    void commentsAndTextsAreNotCode() {
        assertEquals(
                List.of(),
                brokenIn("vitrine.wire", "class A { String s = \"vitrine.posix.Fd\"; } // vitrine.posix.Fd"));
    }

    private static List<Finding> brokenIn(String packageName, String code) {
        return Directions.broken(SourceFile.parse("A.java", "package " + packageName + ";\n" + code));
    }
}
