package vitrine.conformance.rules;

import com.sun.source.tree.BindingPatternTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.PatternCaseLabelTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import vitrine.fuse.Opcode;

/// Who answers which request: read from the switch in the source of `PassthroughFs.answer`.
///
/// A request that is refused says so there, with the reason as a text: `refuse("…")`.
final class Answers {

    private static final String SOURCE = "reference-daemon/src/main/java/vitrine/passthrough/PassthroughFs.java";

    /// How an answer becomes a reply; who gives it is among their arguments.
    private static final Set<String> WRAPPERS = Set.of("struct", "done", "silent");

    private final Map<String, String> answers = new LinkedHashMap<>(); // `FileRequest.Open` to what is done
    private final Map<String, String> classes = new HashMap<>(); // a field of the file system to its class

    Answers() {
        SourceFile source = SourceFile.parse(SOURCE, Repository.read(SOURCE));
        source.find(VariableTree.class::isInstance).forEach(path -> {
            VariableTree field = (VariableTree) path.getLeaf();
            if (field.getType() != null) {
                classes.putIfAbsent(field.getName().toString(), field.getType().toString());
            }
        });
        source.find(CaseTree.class::isInstance).forEach(path -> {
            CaseTree line = (CaseTree) path.getLeaf();
            for (Tree label : line.getLabels()) {
                if (label instanceof PatternCaseLabelTree pattern
                        && pattern.getPattern() instanceof BindingPatternTree request) {
                    answers.put(request.getVariable().getType().toString(), answer(line.getBody()));
                }
            }
        });
    }

    /// What becomes of this request.
    String to(Opcode opcode) {
        return answers.entrySet().stream()
                .filter(entry -> isAbout(entry.getKey(), opcode))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new AssertionError(SOURCE + " has no case for " + opcode));
    }

    /// What becomes of a request that has no record.
    String toAnyOther() {
        return answers.get("SessionRequest.Unknown");
    }

    /// `FileRequest.CopyFileRange64` is COPY_FILE_RANGE_64, `DaxRequest` is all of its family.
    private static boolean isAbout(String record, Opcode opcode) {
        String name = record.substring(record.indexOf('.') + 1);
        return record.equalsIgnoreCase(opcode.family() + "Request")
                || name.equalsIgnoreCase(opcode.name().replace("_", ""));
    }

    private String answer(Tree body) {
        if (body.toString().equals("Reply.NONE")) {
            return "nothing, and there is no reply";
        }
        String answer = new Finder().scan(body, null);
        if (answer == null) {
            throw new AssertionError(SOURCE + ": nobody answers in " + body);
        }
        return answer;
    }

    /// Finds the first call that is no wrapper.
    private final class Finder extends TreeScanner<String, Void> {

        @Override
        public String visitMethodInvocation(MethodInvocationTree call, Void nothing) {
            ExpressionTree method = call.getMethodSelect();
            if (method instanceof MemberSelectTree select) {
                return "`" + classOf(select.getExpression()) + "." + select.getIdentifier() + "`";
            }
            String name = ((IdentifierTree) method).getName().toString();
            if (name.equals("refuse")) {
                return "ENOSYS: " + ((LiteralTree) call.getArguments().getFirst()).getValue();
            }
            return WRAPPERS.contains(name) ? scan(call.getArguments(), null) : "`PassthroughFs." + name + "`";
        }

        @Override
        public String visitMemberReference(MemberReferenceTree method, Void nothing) {
            return "`" + classOf(method.getQualifierExpression()) + "." + method.getName() + "`";
        }

        @Override
        public String reduce(String first, String second) {
            return first != null ? first : second;
        }

        private String classOf(ExpressionTree object) {
            return classes.getOrDefault(object.toString(), object.toString());
        }
    }
}
