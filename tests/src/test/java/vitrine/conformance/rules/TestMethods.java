package vitrine.conformance.rules;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Finds tests that go green whatever happens: they call, and never look at what came out.
final class TestMethods {

    private static final Set<String> TESTS =
            Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "Property", "Example");

    /// What a method is called that looks at the outcome, in JUnit's words and in ours.
    private static final Pattern LOOKS =
            Pattern.compile("(assert|fail|expect|verify|require|mustBe|refused|obeyed|dynamicTest).*");

    private TestMethods() {}

    /// Each test method that neither asserts, nor throws, nor answers a boolean, nor calls a method
    /// of its own file that does.
    static List<Finding> thatCannotFail(SourceFile file) {
        List<MethodTree> methods = file.find(tree -> tree instanceof MethodTree).stream()
                .map(path -> (MethodTree) path.getLeaf())
                .toList();
        Map<String, Set<String>> calls = new HashMap<>();
        for (MethodTree method : methods) {
            calls.computeIfAbsent(method.getName().toString(), _ -> new HashSet<>())
                    .addAll(callsOf(method));
        }
        return methods.stream()
                .filter(TestMethods::isTest)
                .filter(method -> !method.getReturnType().toString().equalsIgnoreCase("boolean"))
                .filter(method -> !looks(method.getName().toString(), calls, new HashSet<>()))
                .map(method -> file.finding(
                        file.line(method.getReturnType()), method.getName() + " cannot fail: it asserts nothing"))
                .toList();
    }

    static boolean isTest(MethodTree method) {
        return method.getModifiers().getAnnotations().stream()
                .anyMatch(annotation ->
                        TESTS.contains(annotation.getAnnotationType().toString()));
    }

    private static boolean looks(String method, Map<String, Set<String>> calls, Set<String> seen) {
        return seen.add(method)
                && calls.getOrDefault(method, Set.of()).stream()
                        .anyMatch(called -> LOOKS.matcher(called).matches() || looks(called, calls, seen));
    }

    private static Set<String> callsOf(MethodTree method) {
        Set<String> names = new HashSet<>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
                names.add(lastName(call.getMethodSelect()));
                return super.visitMethodInvocation(call, nothing);
            }

            @Override
            public Void visitThrow(ThrowTree thrown, Void nothing) {
                names.add("fail");
                return super.visitThrow(thrown, nothing);
            }
        }.scan((Tree) method, null);
        return names;
    }

    private static String lastName(ExpressionTree select) {
        return switch (select) {
            case IdentifierTree identifier -> identifier.getName().toString();
            case MemberSelectTree member -> member.getIdentifier().toString();
            default -> "";
        };
    }
}
