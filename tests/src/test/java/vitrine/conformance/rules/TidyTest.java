package vitrine.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The style of the house holds in every Java file of it.
class TidyTest {

    /// A rule, and a source that breaks it once: a rule that finds nothing there would find nothing
    /// anywhere.
    private record Rule(Function<SourceFile, List<Finding>> check, String broken) {}

    private static final Map<String, Rule> RULES = rules();

    private static Map<String, Rule> rules() {
        Map<String, Rule> rules = new LinkedHashMap<>();
        rules.put("lineLength", new Rule(TidyRules::lineLength, "class A {}\n// " + "word ".repeat(21)));
        rules.put("fileLength", new Rule(TidyRules::fileLength, "class A {\n" + "\n".repeat(300) + "}"));
        rules.put("methodLength", new Rule(TidyRules::methodLength, "class A { void a() {" + "\n".repeat(40) + "} }"));
        rules.put(
                "parameters",
                new Rule(TidyRules::parameters, "class A { void a(int a, int b, int c, int d, int e, int f) {} }"));
        rules.put("names", new Rule(TidyRules::names, "package a; class Outer { class QueueManager {} }"));
        rules.put("words", new Rule(TidyRules::words, "class A { int sla" + "ve; }"));
        rules.put("unfinished", new Rule(TidyRules::unfinished, "class A {} // TO" + "DO: more"));
        rules.put("imports", new Rule(TidyRules::imports, "import java.util.*; class A {}"));
        rules.put("comments", new Rule(TidyRules::comments, "/// An a.\npublic class A { public void a() {} }"));
        rules.put("skips", new Rule(TidyRules::skips, "import org.junit.jupiter.api.Assumptions;\nclass A {}"));
        return rules;
    }

    @TestFactory
    Stream<DynamicTest> everyFileKeeps() {
        return RULES.entrySet().stream()
                .map(rule -> DynamicTest.dynamicTest(
                        rule.getKey(),
                        () -> Finding.failOn(Repository.javaFiles().stream()
                                .filter(file -> !isExcepted(rule.getKey(), file.path()))
                                .flatMap(file -> rule.getValue().check().apply(file).stream())
                                .toList())));
    }

    @TestFactory
    Stream<DynamicTest> aBrokenFileIsSeenBy() {
        return RULES.entrySet().stream()
                .map(rule -> DynamicTest.dynamicTest(rule.getKey(), () -> {
                    SourceFile broken = SourceFile.parse(
                            "reference-daemon/src/main/java/A.java",
                            rule.getValue().broken());

                    List<Finding> findings = rule.getValue().check().apply(broken);

                    assertEquals(1, findings.size(), () -> "found: " + findings);
                }));
    }

    @Test
    void everyExceptionIsNeeded() {
        List<String> needless = new ArrayList<>();
        for (Exceptions.Exception exception : Exceptions.ALL) {
            Rule rule = RULES.get(exception.rule());
            assertTrue(rule != null, () -> "there is no rule " + exception.rule());
            boolean needed = Repository.javaFiles().stream()
                    .filter(file -> file.path().equals(exception.path()))
                    .anyMatch(file -> !rule.check().apply(file).isEmpty());
            if (!needed) {
                needless.add(exception.path() + " keeps " + exception.rule() + ": take it out of Exceptions.java");
            }
        }
        assertEquals(List.of(), needless);
    }

    @Test
    void everyPackageSaysWhatItIs() {
        Finding.failOn(packagesWithoutInfo(Repository.javaFiles()));
    }

    @Test
    void aPackageThatDoesNotSayWhatItIsIsSeen() {
        var lonely = SourceFile.parse("tests/src/a/A.java", "package a; class A {}");
        var silent = SourceFile.parse("tests/src/b/package-info.java", "package b;");
        assertEquals(2, packagesWithoutInfo(List.of(lonely, silent)).size());
    }

    private static List<Finding> packagesWithoutInfo(List<SourceFile> files) {
        Set<String> described = files.stream()
                .filter(file -> file.isPackageInfo() && file.lines().getFirst().startsWith("///"))
                .map(TidyTest::folder)
                .collect(Collectors.toSet());
        return files.stream()
                .filter(file -> !file.packageName().isEmpty())
                .map(TidyTest::folder)
                .distinct()
                .filter(folder -> !described.contains(folder))
                .map(folder -> new Finding(
                        folder + "/package-info.java", 1, "missing, or without a comment: a picture and a paragraph"))
                .toList();
    }

    @Test
    void everyTestCanFail() {
        Finding.failOn(Repository.javaFilesIn("tests").stream()
                .flatMap(file -> TestMethods.thatCannotFail(file).stream())
                .toList());
    }

    @Test
    void aTestThatCannotFailIsSeen() {
        String text = """
                class ATest {
                    @Test void looks() { run(); }
                    @Test void asserts() { check(); }
                    @Property boolean answers() { return run(); }
                    void check() { assertEquals(1, run()); }
                    boolean run() { return true; }
                }
                """;
        List<Finding> findings = TestMethods.thatCannotFail(SourceFile.parse("tests/ATest.java", text));
        assertEquals(1, findings.size());
        assertEquals(2, findings.getFirst().line());
    }

    @Test
    void noOtherFileIsLeftUnfinished() {
        Finding.failOn(Repository.files(path -> path.matches(".*\\.(md|awk|lua|xml|properties)|vitrine|\\.ci/run"))
                .map(path -> SourceFile.parse(path, Repository.read(path)))
                .flatMap(file -> Stream.concat(TidyRules.unfinished(file).stream(), TidyRules.words(file).stream()))
                .toList());
    }

    private static boolean isExcepted(String rule, String path) {
        return Exceptions.ALL.stream()
                .anyMatch(exception ->
                        exception.rule().equals(rule) && exception.path().equals(path));
    }

    private static String folder(SourceFile file) {
        assertFalse(file.path().indexOf('/') < 0, file.path());
        return file.path().substring(0, file.path().lastIndexOf('/'));
    }
}
