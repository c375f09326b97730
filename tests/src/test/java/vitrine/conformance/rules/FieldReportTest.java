package vitrine.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `docs/field-reports.md` and the tests that it names hold together.
class FieldReportTest {

    private static final String PAGE = "docs/field-reports.md";
    private static final String NOT_DONE = "not done: ";
    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\|[^|]+\\|[^|]+\\|([^|]+)\\|");
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

    /// Each report has a test, or says why it has none; the test exists, is one, and its comment
    /// names the report.
    ///
    /// Caught: a test renamed; a report missing in a comment; a row without a test.
    @Test
    void everyReportHasATestThatNamesIt() {
        assertEquals(List.of(), wrongRows(Repository.read(PAGE)));
        assertTrue(ROW.matcher(Repository.read(PAGE)).results().count() >= 41);
    }

    /// What is wrong is seen.
    @Test
    void aRowThatPromisesTooMuchIsSeen() {
        String own = "`FieldReportTest#everyReportHasATestThatNamesIt`";

        assertEquals(List.of("x: no test"), wrongRows("| `x` | a | b | later |"));
        assertEquals(List.of("x: no NoSuchTest#at"), wrongRows("| `x` | a | b | `NoSuchTest#at` |"));
        assertEquals(
                List.of("x: no FieldReportTest#wrongRows"), wrongRows("| `x` | a | b | `FieldReportTest#wrongRows` |"));
        assertEquals(
                List.of("no such report: not named by FieldReportTest#everyReportHasATestThatNamesIt"),
                wrongRows("| `no such report` | a | b | " + own + " |"));
        assertEquals(List.of(), wrongRows("| `x` | a | b | not done: why |"));
    }

    private static List<String> wrongRows(String page) {
        List<String> wrong = new ArrayList<>();
        for (Matcher row = ROW.matcher(page); row.find(); ) {
            String report = row.group(1);
            Matcher tests = TEST.matcher(row.group(2));
            if (!tests.find()) {
                if (!row.group(2).strip().startsWith(NOT_DONE)) {
                    wrong.add(report + ": no test");
                }
                continue;
            }
            do {
                String test = tests.group(1) + "#" + tests.group(2);
                Optional<String> comment = commentOf(tests.group(1), tests.group(2));
                if (comment.isEmpty()) {
                    wrong.add(report + ": no " + test);
                } else if (!comment.get().contains(report)) {
                    wrong.add(report + ": not named by " + test);
                }
            } while (tests.find());
        }
        return wrong;
    }

    /// The comment of a test, in one line; nothing if there is no such test.
    private static Optional<String> commentOf(String type, String method) {
        return Repository.javaFiles().stream()
                .filter(file -> file.simpleName().equals(type))
                .flatMap(file -> file.find(tree -> tree instanceof MethodTree).stream()
                        .filter(path -> isTest(path, method))
                        .map(path -> Optional.ofNullable(file.trees().getDocComment(path))
                                .orElse("")))
                .map(comment -> comment.replaceAll("\\s+", " "))
                .findFirst();
    }

    private static boolean isTest(TreePath path, String name) {
        MethodTree method = (MethodTree) path.getLeaf();
        return method.getName().contentEquals(name) && TestMethods.isTest(method);
    }
}
