package vitrine.guest.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/// `docs/client.md`: all programs as a page to read.
///
/// Programs of one name that meet several servers are one table, and a cell says which server it
/// is about where they differ.
public final class ProgramPage {

    /// Whose requests the tests look at.
    private static final List<Client> CLIENTS =
            List.of(new Client("6.1", true), new Client("6.12", true), new Client("6.18", false));

    private static final String NOTHING = "nothing";

    private ProgramPage() {}

    /// The page.
    public static String text() {
        StringBuilder page = new StringBuilder("""
            # What a virtio-fs client sends

            Small programs, and for each of their system calls the requests that Linux sends for it. Not by heart:
            tests run them in real guests with Linux 6.1 and 6.12, those about DAX in QEMU 11, and on the host's own
            kernel over `/dev/fuse` (seen with 6.18), and fail if one request is not as it stands here.
            `./vitrine program` does the same on your machine; of a kernel older than 6.1 it names what differs, and
            that is no failure. This page is made from the programs;
            `VITRINE_REGENERATE=1 ./vitrine test ProgramPageTest` writes it anew.

            Files are called by their names, `/` is the root. `→` says with which error a request or a call ended.
            `FH` means that a request names the handle of an open file where it could do without. An empty cell is
            the best one: the client knew the answer itself. Before each program the root's attributes are fresh, and
            nothing else is known. Unless something else is said, names and attributes hold for a minute, written data
            is sent at once, there are no extended attributes, and set-ID bits are the client's business.

            """);
        for (Programs.Chapter chapter : Programs.chapters()) {
            page.append("- [")
                    .append(chapter.title())
                    .append("](#")
                    .append(anchor(chapter.title()))
                    .append(")\n");
        }
        for (Programs.Chapter chapter : Programs.chapters()) {
            page.append("\n## ")
                    .append(chapter.title())
                    .append("\n\n")
                    .append(chapter.prose())
                    .append('\n');
            byName(chapter.programs()).values().forEach(programs -> page.append(section(programs)));
        }
        return page.toString();
    }

    private static String anchor(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
    }

    private static Map<String, List<Program>> byName(List<Program> programs) {
        return programs.stream()
                .collect(Collectors.groupingBy(Program::subject, LinkedHashMap::new, Collectors.toList()));
    }

    private static String section(List<Program> programs) {
        Program first = programs.getFirst();
        StringBuilder text = new StringBuilder("\n### " + first.claim() + "\n\n");
        text.append('`').append(first.subject()).append('`');
        preamble(programs).forEach(sentence -> text.append(" · ").append(sentence));
        text.append("\n\n| the program calls | the client sends |\n| --- | --- |\n");
        for (int i = 0; i < first.steps().size(); i++) {
            int place = i;
            Map<String, List<String>> cells = new LinkedHashMap<>();
            for (Program program : programs) {
                cells.computeIfAbsent(cell(program.steps().get(place)), _ -> new ArrayList<>())
                        .add(program.serverName());
            }
            text.append("| ")
                    .append(call(first.steps().get(i)))
                    .append(" | ")
                    .append(joined(cells))
                    .append(" |\n");
        }
        return first.rule().isEmpty() ? text.toString() : text + "\n" + first.rule() + "\n";
    }

    private static List<String> preamble(List<Program> programs) {
        Program first = programs.getFirst();
        List<String> sentences = new ArrayList<>();
        if (programs.size() == 1 && !first.server().text().isBlank()) {
            sentences.add("server `" + first.server().text().strip() + "`");
        }
        if (!first.given().isEmpty()) {
            sentences.add("given "
                    + first.given().stream().map(GivenFile::description).collect(Collectors.joining("; ")));
        }
        List<Client> able = CLIENTS.stream().filter(first::isFor).toList();
        long others = CLIENTS.stream()
                .filter(client -> client.dax() == first.server().hasWindow())
                .filter(client -> !first.isFor(client))
                .count();
        if (others > 0) {
            sentences.add("only " + able.stream().map(Client::toString).collect(Collectors.joining(", ")));
        }
        return sentences;
    }

    private static String call(Step step) {
        String error = step.variants().getLast().expected().error();
        return "`" + bars(step.call()) + "`" + (error.isEmpty() ? "" : " → " + error);
    }

    /// What is expected, and of whom something else.
    private static String cell(Step step) {
        StringJoiner cell = new StringJoiner("<br>");
        cell.add(requests(step.variants().getLast().expected()));
        for (Step.Variant variant : step.variants().subList(0, step.variants().size() - 1)) {
            String requests = requests(variant.expected());
            cell.add("*" + variant.condition().text() + ":* " + (requests.isEmpty() ? NOTHING : requests));
        }
        return cell.toString();
    }

    private static String requests(Seen expected) {
        return expected.requests().stream()
                .map(request -> "`" + bars(request) + "`")
                .collect(Collectors.joining(" "));
    }

    /// One cell for each server where they differ.
    private static String joined(Map<String, List<String>> cells) {
        if (cells.size() == 1) {
            return cells.keySet().iterator().next();
        }
        StringJoiner joined = new StringJoiner("<br>");
        cells.forEach((cell, servers) ->
                joined.add("**" + String.join(", ", servers) + "** " + (cell.isEmpty() ? NOTHING : cell)));
        return joined.toString();
    }

    /// A bar within a table ends a cell, in code as well.
    private static String bars(String text) {
        return text.replace("|", "\\|");
    }
}
