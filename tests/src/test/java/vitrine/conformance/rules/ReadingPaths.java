package vitrine.conformance.rules;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The reading paths of ARCHITECTURE.md and the story of README.md, held against the sources.
///
/// ARCHITECTURE.md has a section `## Reading paths`, and in it each `### …` is a path. Its entries
/// (see [Markdown]) name files by the type in them, `QueueWorker`; one step of the way by a method,
/// `QueueWorker.run`; a nested type by its name, `FileRequest.Write`; or all files of a package
/// that no entry names, `vitrine.fuse.struct`. The comment of a package needs no entry.
///
/// README.md has a section `## Follow one write`; the entries of it name methods in the same way.
final class ReadingPaths {

    private ReadingPaths() {}

    /// Files that are on no path, or on more than one, and entries that name nothing.
    static List<Finding> wrongPaths(String architecture, List<SourceFile> files) {
        List<Markdown.Section> paths = Markdown.sections(architecture, "## ").stream()
                .filter(section -> section.heading().equals("Reading paths"))
                .flatMap(section -> section.sections("### ").stream())
                .toList();
        List<Finding> findings = new ArrayList<>(wrongEntries("ARCHITECTURE.md", paths, files));
        Map<String, List<String>> pathsOfFile = new TreeMap<>();
        for (Markdown.Section path : paths) {
            for (SourceFile file : files) {
                if (isOn(path, file)) {
                    pathsOfFile
                            .computeIfAbsent(file.path(), _ -> new ArrayList<>())
                            .add(path.heading());
                }
            }
        }
        for (SourceFile file : files) {
            List<String> its = pathsOfFile.getOrDefault(file.path(), List.of());
            boolean byPackage = its.isEmpty() && paths.stream().anyMatch(path -> names(path, file.packageName()));
            if (its.isEmpty() && !byPackage && !file.isPackageInfo()) {
                findings.add(file.finding(
                        1, "on no reading path of ARCHITECTURE.md: a dark corner. Say there when to read it"));
            } else if (its.size() > 1) {
                findings.add(file.finding(1, "on more than one reading path of ARCHITECTURE.md: " + its));
            }
        }
        return findings;
    }

    /// Steps of the story that name no method.
    static List<Finding> wrongSteps(String readme, List<SourceFile> files) {
        List<Markdown.Section> story = Markdown.sections(readme, "## ").stream()
                .filter(section -> section.heading().equalsIgnoreCase("Follow one write"))
                .toList();
        boolean isTold = story.stream().anyMatch(section -> !section.entries().isEmpty());
        return isTold
                ? wrongEntries("README.md", story, files)
                : List.of(new Finding("README.md", 1, "no section '## Follow one write' with entries"));
    }

    private static boolean isOn(Markdown.Section path, SourceFile file) {
        return path.entries().stream()
                .flatMap(entry -> entry.subjects().stream())
                .anyMatch(subject -> typeOf(subject).equals(file.simpleName()));
    }

    private static boolean names(Markdown.Section path, String packageName) {
        return path.entries().stream().anyMatch(entry -> entry.subjects().contains(packageName));
    }

    private static List<Finding> wrongEntries(
            String document, List<Markdown.Section> sections, List<SourceFile> files) {
        List<Finding> findings = new ArrayList<>();
        for (Markdown.Section section : sections) {
            for (Markdown.Entry entry : section.entries()) {
                entry.subjects().stream()
                        .filter(subject -> !exists(subject, files))
                        .map(subject -> new Finding(document, entry.line(), "there is no " + subject))
                        .forEach(findings::add);
            }
        }
        return findings;
    }

    private static boolean exists(String subject, List<SourceFile> files) {
        if (files.stream().anyMatch(file -> file.packageName().equals(subject))) {
            return true;
        }
        String[] steps = withoutParentheses(subject).split("\\.");
        Predicate<SourceFile> hasMembers = file -> List.of(steps).subList(1, steps.length).stream()
                .allMatch(step -> membersOf(file).contains(step));
        return files.stream().filter(file -> file.simpleName().equals(steps[0])).anyMatch(hasMembers);
    }

    private static String typeOf(String subject) {
        return subject.split("\\.")[0];
    }

    private static String withoutParentheses(String subject) {
        return subject.replaceFirst("\\(.*\\)$", "");
    }

    /// The names of all methods and nested types in a file.
    private static List<String> membersOf(SourceFile file) {
        return file.find(tree -> tree instanceof MethodTree || tree instanceof ClassTree).stream()
                .map(path -> path.getLeaf() instanceof MethodTree method
                        ? method.getName().toString()
                        : ((ClassTree) path.getLeaf()).getSimpleName().toString())
                .collect(Collectors.toList());
    }
}
