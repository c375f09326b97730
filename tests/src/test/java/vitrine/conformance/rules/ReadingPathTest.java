package vitrine.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/// A reader who follows the reading paths has read the whole daemon, each file once.
class ReadingPathTest {

    private static final SourceFile WORKER = SourceFile.parse(
            "reference-daemon/Worker.java", "package a; class Worker { void run() {} record Kick(int n) {} }");
    private static final SourceFile TABLE =
            SourceFile.parse("reference-daemon/Table.java", "package b.c; class Table {}");
    private static final List<SourceFile> FILES = List.of(WORKER, TABLE);

    @Test
    void everyFileOfTheDaemonIsOnOneReadingPath() {
        Finding.failOn(ReadingPaths.wrongPaths(
                Repository.read("ARCHITECTURE.md"), Repository.javaFilesIn("reference-daemon/src/main/java")));
    }

    @Test
    void everyStepOfTheStoryIsInTheCode() {
        List<SourceFile> main = Repository.javaFiles().stream()
                .filter(file -> file.path().contains("/src/main/java/"))
                .toList();
        Finding.failOn(ReadingPaths.wrongSteps(Repository.read("README.md"), main));
    }

    @Test
    void aWholePathIsRight() {
        assertEquals(List.of(), wrongPaths("### One\n1. `Worker.run`, `Worker.Kick`: runs `Nothing`\n| `b.c` | all |"));
    }

    @Test
    void aFileOnNoPathIsSeen() {
        List<Finding> findings = wrongPaths("### One\n- `Worker` — runs the `Table`");
        assertEquals("reference-daemon/Table.java", findings.getFirst().file());
        assertEquals(1, findings.size());
    }

    @Test
    void aFileOnTwoPathsIsSeen() {
        List<Finding> findings = wrongPaths("### One\n- `Worker`\n- `Table`\n### Two\n| `Table` | again |");
        assertTrue(findings.getFirst().message().contains("[One, Two]"));
        assertEquals(1, findings.size());
    }

    @Test
    void anEntryThatNamesNothingIsSeenWithItsLine() {
        List<Finding> findings = wrongPaths("### One\n- `Worker.walk`\n- `Table`");
        assertEquals(
                "ARCHITECTURE.md:4: there is no Worker.walk",
                findings.getFirst().toString());
    }

    @Test
    void aStepThatIsNotInTheCodeIsSeen() {
        String readme = "# A\n\n## Follow one write\n\n| step | what |\n|---|---|\n| `Worker.stop` | stops |\n";
        assertEquals(
                "README.md:7: there is no Worker.stop",
                ReadingPaths.wrongSteps(readme, FILES).getFirst().toString());
        assertEquals(1, ReadingPaths.wrongSteps("# A\n", FILES).size());
    }

    private static List<Finding> wrongPaths(String paths) {
        return ReadingPaths.wrongPaths("# A\n## Reading paths\n" + paths + "\n## Other\n- `Table`\n", FILES);
    }
}
