package vitrine.conformance.rules;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// A Java file as the compiler's parser sees it: no types are resolved, so it need not compile.
///
/// @param path seen from the root of the repository, e.g. `tests/src/test/java/…/SourceFile.java`
/// @param lines its text
/// @param unit its syntax tree
/// @param trees finds positions and comments in that tree
record SourceFile(String path, List<String> lines, CompilationUnitTree unit, DocTrees trees) {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    // One for all: each opens the jars of the class path, and keeps them.
    private static final JavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

    static SourceFile parse(String path, String text) {
        var source = new SimpleJavaFileObject(URI.create("string:///" + path), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
        var task = (JavacTask) COMPILER.getTask(null, FILES, _ -> {}, List.of("-proc:none"), null, List.of(source));
        try {
            CompilationUnitTree unit = task.parse().iterator().next();
            return new SourceFile(path, text.lines().toList(), unit, DocTrees.instance(task));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    String packageName() {
        return unit.getPackageName() == null ? "" : unit.getPackageName().toString();
    }

    /// The name of the file without `.java`: that of the type in it.
    String simpleName() {
        return path.substring(path.lastIndexOf('/') + 1).replace(".java", "");
    }

    boolean isPackageInfo() {
        return simpleName().equals("package-info");
    }

    boolean isIn(String folder) {
        return path.startsWith(folder + "/");
    }

    List<? extends ImportTree> imports() {
        return unit.getImports();
    }

    long line(Tree tree) {
        long start = trees.getSourcePositions().getStartPosition(unit, tree);
        return start < 0 ? 1 : unit.getLineMap().getLineNumber(start);
    }

    long lastLine(Tree tree) {
        long end = trees.getSourcePositions().getEndPosition(unit, tree);
        return end < 0 ? line(tree) : unit.getLineMap().getLineNumber(end);
    }

    Finding finding(long line, String message) {
        return new Finding(path, line, message);
    }

    /// All trees of one kind, each with the way to it from the root.
    List<TreePath> find(Predicate<Tree> wanted) {
        List<TreePath> found = new ArrayList<>();
        new TreePathScanner<Void, Void>() {
            @Override
            public Void scan(Tree tree, Void nothing) {
                if (tree != null && wanted.test(tree)) {
                    found.add(new TreePath(getCurrentPath(), tree));
                }
                return super.scan(tree, nothing);
            }
        }.scan(new TreePath(unit), null);
        return found;
    }
}
