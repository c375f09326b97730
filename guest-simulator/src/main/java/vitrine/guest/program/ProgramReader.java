package vitrine.guest.program;

import java.util.ArrayList;
import java.util.List;

/// Reads one program, line by line; the form is in [Programs].
final class ProgramReader {

    private static final String ARROW = "→";

    private final String name;
    private final String claim;
    private final List<String> rule = new ArrayList<>();
    private final List<GivenFile> given = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private Server server = Server.of("");
    private Condition needs = Condition.ALWAYS;

    private String call; // of the step that is being read; null before the first
    private Step.Variant usual;
    private final List<Step.Variant> others = new ArrayList<>();

    ProgramReader(String heading) {
        int colon = heading.indexOf(": ");
        if (colon < 0) {
            throw new IllegalArgumentException("a program begins with ## name: claim");
        }
        name = heading.substring(0, colon);
        claim = heading.substring(colon + 2);
    }

    void line(String line) {
        int bar = line.indexOf('|', line.startsWith(" ") ? 0 : callEnd(line));
        if (line.startsWith(">")) {
            rule.add(line.substring(1).strip());
        } else if (line.startsWith("server ")) {
            server = Server.of(line.substring(7));
        } else if (line.startsWith("given ")) {
            given.add(GivenFile.of(line.substring(6)));
        } else if (line.startsWith("needs ")) {
            needs = new Condition(line.substring(6));
        } else if (bar >= 0) {
            step(line.startsWith(" "), line.substring(0, bar).strip(), line.substring(bar + 1));
        } else if (!line.isBlank()) {
            throw new IllegalArgumentException("neither a step (no |) nor anything else: " + line);
        }
    }

    /// Flags are joined by bars too; the one that ends a call has a space before it.
    private static int callEnd(String line) {
        int bar = line.indexOf(" |");
        return bar < 0 ? line.length() : bar;
    }

    private void step(boolean indented, String left, String right) {
        List<String> requests = requests(right);
        if (!indented) {
            finishStep();
            String[] parts = left.split(ARROW);
            call = parts[0].strip();
            usual = variant("", parts, requests);
        } else if (left.isEmpty()) {
            goOn(requests);
        } else {
            String[] parts = left.split(ARROW);
            others.add(variant(parts[0], parts, requests));
        }
    }

    private static Step.Variant variant(String condition, String[] parts, List<String> requests) {
        return new Step.Variant(
                new Condition(condition.strip()), new Seen(parts.length > 1 ? parts[1].strip() : "", requests));
    }

    private void goOn(List<String> requests) {
        Step.Variant last = others.isEmpty() ? usual : others.removeLast();
        List<String> all = new ArrayList<>(last.expected().requests());
        all.addAll(requests);
        Step.Variant longer =
                new Step.Variant(last.condition(), new Seen(last.expected().error(), all));
        if (last == usual) {
            usual = longer;
        } else {
            others.add(longer);
        }
    }

    private void finishStep() {
        if (call != null) {
            others.add(usual);
            steps.add(new Step(call, others));
            others.clear();
        }
    }

    Program finish() {
        finishStep();
        return new Program(name, claim, String.join(" ", rule), server, given, needs, steps);
    }

    /// Splits at the commas that are not within parentheses.
    private static List<String> requests(String text) {
        List<String> requests = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ',';
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                requests.add(text.substring(from, i).strip());
                from = i + 1;
            }
        }
        requests.removeIf(String::isEmpty);
        return requests;
    }
}
