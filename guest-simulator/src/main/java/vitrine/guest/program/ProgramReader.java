package vitrine.guest.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads one program, line by line; the form is in [Programs].
final class ProgramReader {

    private static final String ARROW = "→";
    private static final String SERVER = "server ";
    private static final String ONLY = "";

    private final String name;
    private final String claim;
    private final List<String> rule = new ArrayList<>();
    private final List<GivenFile> given = new ArrayList<>();
    private final List<Draft> drafts = new ArrayList<>();
    private final Map<String, Server> servers; // by name
    private Condition needs = Condition.ALWAYS;

    /// A step as it is written.
    ///
    /// @param lines the usual one first
    private record Draft(String call, List<Line> lines) {}

    /// What is expected on some condition, which may name servers.
    private record Line(String condition, String error, List<String> requests) {}

    /// @param heading what follows `##`
    /// @param servers those of the chapter; for a program that names none
    ProgramReader(String heading, Map<String, Server> servers) {
        int colon = heading.indexOf(": ");
        if (colon < 0) {
            throw new IllegalArgumentException("a program begins with ## name: claim");
        }
        name = heading.substring(0, colon);
        claim = heading.substring(colon + 2);
        this.servers = new LinkedHashMap<>(servers);
    }

    void line(String line) {
        int bar = line.indexOf('|', line.startsWith(" ") ? 0 : callEnd(line));
        if (line.startsWith(">")) {
            rule.add(line.substring(1).strip());
        } else if (line.startsWith(SERVER)) {
            servers.clear();
            servers.put(ONLY, Server.of(line.substring(SERVER.length())));
        } else if (line.startsWith("given ")) {
            given.add(GivenFile.of(line.substring(6)));
        } else if (line.startsWith("needs ")) {
            needs = new Condition(line.substring(6));
        } else if (bar >= 0) {
            step(line.startsWith(" "), line.substring(0, bar).strip(), requests(line.substring(bar + 1)));
        } else if (!line.isBlank()) {
            throw new IllegalArgumentException("neither a step (no |) nor anything else: " + line);
        }
    }

    /// Adds a server of a chapter: `server NAME: WORDS`.
    static void server(String line, Map<String, Server> to) {
        int colon = line.indexOf(':');
        to.put(line.substring(SERVER.length(), colon), Server.of(line.substring(colon + 1)));
    }

    /// Flags are joined by bars too; the one that ends a call has a space before it.
    private static int callEnd(String line) {
        int bar = line.indexOf(" |");
        return bar < 0 ? line.length() : bar;
    }

    private void step(boolean indented, String left, List<String> requests) {
        String[] parts = left.split(ARROW);
        String error = parts.length > 1 ? parts[1].strip() : "";
        if (!indented) {
            drafts.add(new Draft(parts[0].strip(), new ArrayList<>(List.of(new Line("", error, requests)))));
        } else if (left.isEmpty()) {
            List<Line> lines = drafts.getLast().lines();
            Line last = lines.removeLast();
            List<String> all = new ArrayList<>(last.requests());
            all.addAll(requests);
            lines.add(new Line(last.condition(), last.error(), all));
        } else {
            drafts.getLast().lines().add(new Line(parts[0].strip(), error, requests));
        }
    }

    /// The program; one for each server, if there are several.
    List<Program> finish() {
        if (servers.isEmpty()) {
            servers.put(ONLY, Server.of(""));
        }
        List<Program> programs = new ArrayList<>();
        servers.forEach((serverName, server) -> {
            List<Step> steps =
                    drafts.stream().map(draft -> step(draft, serverName)).toList();
            String whole = serverName.equals(ONLY) ? name : name + "." + serverName;
            programs.add(new Program(whole, claim, String.join(" ", rule), server, given, needs, steps));
        });
        return programs;
    }

    private Step step(Draft draft, String serverName) {
        List<Step.Variant> variants = new ArrayList<>();
        for (Line line : draft.lines().subList(1, draft.lines().size())) {
            List<String> words = new ArrayList<>(List.of(line.condition().split("\\s+")));
            boolean isFor = words.contains(serverName) || words.stream().noneMatch(servers::containsKey);
            words.removeAll(servers.keySet());
            if (isFor) {
                variants.add(variant(String.join(" ", words), line));
            }
            if (isFor && words.isEmpty()) {
                return new Step(draft.call(), variants); // what is usual is not so with this server
            }
        }
        variants.add(variant("", draft.lines().getFirst()));
        return new Step(draft.call(), variants);
    }

    private static Step.Variant variant(String condition, Line line) {
        return new Step.Variant(new Condition(condition), new Seen(line.error(), line.requests()));
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
