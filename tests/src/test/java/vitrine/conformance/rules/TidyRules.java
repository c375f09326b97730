package vitrine.conformance.rules;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.Name;

/// The rules of style, each from one file to what it finds there.
final class TidyRules {

    static final int CODE_COLUMNS = 120;
    static final int COMMENT_COLUMNS = 100;
    static final int FILE_LINES = 300;
    static final int METHOD_LINES = 40;
    static final int PARAMETERS = 5;

    private static final Pattern BANNED_PACKAGE = Pattern.compile("\\b(utils?|impl|common|helpers?|misc)\\b");
    private static final Pattern BANNED_TYPE = Pattern.compile("^Abstract.+|.*(Manager|Utils?|Impl|Helper)$");
    // Written so that this file does not find itself.
    private static final Pattern BANNED_WORD =
            Pattern.compile("\\b(mas" + "ter|sla" + "ve)s?\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    private static final Pattern ADDRESS = Pattern.compile("https?://\\S+");

    private TidyRules() {}

    /// Two columns fit side by side on a screen, and prose is read in shorter lines than code.
    static List<Finding> lineLength(SourceFile file) {
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < file.lines().size(); i++) {
            String line = file.lines().get(i);
            boolean comment = line.strip().startsWith("//");
            int limit = comment ? COMMENT_COLUMNS : CODE_COLUMNS;
            int columns = line.codePointCount(0, line.length());
            if (columns > limit && !ADDRESS.matcher(line).find()) {
                findings.add(file.finding(
                        i + 1, (comment ? "comment" : "code") + " of " + columns + " columns; at most " + limit));
            }
        }
        return findings;
    }

    static List<Finding> fileLength(SourceFile file) {
        int lines = file.lines().size();
        return lines <= FILE_LINES
                ? List.of()
                : List.of(file.finding(
                        FILE_LINES + 1,
                        "file of " + lines + " lines; at most " + FILE_LINES
                                + ", which a reader can hold in mind: split it by what changes together"));
    }

    static List<Finding> methodLength(SourceFile file) {
        return methods(file).stream()
                .filter(method -> file.lastLine(method) - file.line(method) >= METHOD_LINES)
                .map(method -> file.finding(
                        file.line(method),
                        method.getName() + " has " + (file.lastLine(method) - file.line(method) + 1)
                                + " lines; at most " + METHOD_LINES + ", a screen: give a step of it a name"))
                .toList();
    }

    /// Records may have as many components as the C struct has members, and so may what makes them.
    static List<Finding> parameters(SourceFile file) {
        return methods(file).stream()
                .filter(method -> !method.getName().contentEquals("<init>"))
                .filter(method -> method.getParameters().size() > PARAMETERS)
                .map(method -> file.finding(
                        file.line(method),
                        method.getName() + " has " + method.getParameters().size() + " parameters; at most "
                                + PARAMETERS + ": some of them belong together and want to be a record"))
                .toList();
    }

    /// A name says what a thing is for. These say only that there is a thing.
    static List<Finding> names(SourceFile file) {
        List<Finding> findings = new ArrayList<>();
        if (BANNED_PACKAGE.matcher(file.packageName()).find()) {
            findings.add(file.finding(1, "package " + file.packageName() + " names no subject: say what it is about"));
        }
        for (TreePath path : file.find(tree -> tree instanceof ClassTree)) {
            Name name = ((ClassTree) path.getLeaf()).getSimpleName();
            if (BANNED_TYPE.matcher(name).matches()) {
                findings.add(file.finding(file.line(path.getLeaf()), name + " names no subject: say what it does"));
            }
        }
        return findings;
    }

    /// The words of the specifications are driver and device, front end and back end.
    static List<Finding> words(SourceFile file) {
        return eachMatch(file, BANNED_WORD, word -> "'" + word + "': say driver/device or front end/back end");
    }

    static List<Finding> unfinished(SourceFile file) {
        return eachMatch(file, UNFINISHED, word -> word + ": do it, or write down where it is decided");
    }

    static List<Finding> imports(SourceFile file) {
        return file.imports().stream()
                .filter(anImport -> anImport.getQualifiedIdentifier().toString().endsWith(".*"))
                .map(anImport -> file.finding(
                        file.line(anImport), "wildcard import: a reader cannot tell where a name comes from"))
                .toList();
    }

    /// A test may be skipped by [Needs] only, where a guarding machine can forbid it.
    static List<Finding> skips(SourceFile file) {
        return file.imports().stream()
                .filter(anImport -> anImport.getQualifiedIdentifier().toString().contains(".Assumptions"))
                .map(anImport -> file.finding(
                        file.line(anImport), "skips by an assumption, which VITRINE_NO_SKIPS cannot see: use Needs"))
                .toList();
    }

    /// Says what it is for: each public type and method of the main sources, in `///` comments.
    static List<Finding> comments(SourceFile file) {
        Stream<Finding> old = IntStream.range(0, file.lines().size())
                .filter(i -> file.lines().get(i).strip().startsWith("/**"))
                .mapToObj(i -> file.finding(i + 1, "comment in the old form: write it with ///"));
        if (!file.path().contains("/src/main/")) {
            return old.toList();
        }
        Stream<Finding> missing = file.find(TidyRules::isDocumented).stream()
                .filter(path -> isPublic(path) && !isOverride(path.getLeaf()))
                .filter(path -> file.trees().getDocComment(path) == null)
                .map(path -> file.finding(
                        file.line(path.getLeaf()), nameOf(path.getLeaf()) + " is public and has no /// comment"));
        return Stream.concat(old, missing).toList();
    }

    private static boolean isDocumented(Tree tree) {
        return tree instanceof ClassTree type && !type.getSimpleName().isEmpty()
                || tree instanceof MethodTree method && !method.getName().contentEquals("<init>");
    }

    /// Public, and so are all types around it. Members of interfaces are public without the word.
    private static boolean isPublic(TreePath path) {
        for (TreePath step = path; step.getParentPath() != null; step = step.getParentPath()) {
            Tree around = step.getParentPath().getLeaf();
            boolean inInterface = around instanceof ClassTree type && type.getKind() == Tree.Kind.INTERFACE;
            if (!inInterface && !modifiers(step.getLeaf()).contains(Modifier.PUBLIC)) {
                return false;
            }
        }
        return true;
    }

    private static Set<Modifier> modifiers(Tree tree) {
        return switch (tree) {
            case ClassTree type -> type.getModifiers().getFlags();
            case MethodTree method -> method.getModifiers().getFlags();
            default -> Set.of();
        };
    }

    private static boolean isOverride(Tree tree) {
        return tree instanceof MethodTree method
                && method.getModifiers().getAnnotations().stream()
                        .anyMatch(annotation ->
                                annotation.getAnnotationType().toString().equals("Override"));
    }

    private static String nameOf(Tree tree) {
        return switch (tree) {
            case ClassTree type -> type.getSimpleName().toString();
            case MethodTree method -> method.getName().toString();
            case VariableTree variable -> variable.getName().toString();
            default -> tree.getKind().toString().toLowerCase(Locale.ROOT);
        };
    }

    private static List<MethodTree> methods(SourceFile file) {
        Predicate<Tree> isMethod = tree -> tree instanceof MethodTree;
        return file.find(isMethod).stream()
                .map(path -> (MethodTree) path.getLeaf())
                .toList();
    }

    private static List<Finding> eachMatch(
            SourceFile file, Pattern pattern, java.util.function.UnaryOperator<String> message) {
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < file.lines().size(); i++) {
            Matcher matcher = pattern.matcher(file.lines().get(i));
            while (matcher.find()) {
                findings.add(file.finding(i + 1, message.apply(matcher.group())));
            }
        }
        return findings;
    }
}
