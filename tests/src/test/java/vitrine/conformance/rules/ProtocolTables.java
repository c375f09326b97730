package vitrine.conformance.rules;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;
import vitrine.daemon.CommandLineSyntax;
import vitrine.daemon.OptionList;
import vitrine.fuse.Dialect;
import vitrine.fuse.Opcode;
import vitrine.fuse.flag.InitFlag;
import vitrine.passthrough.Feature;
import vitrine.passthrough.InitDecision;

/// `docs/protocol.md`: what the daemon answers, agrees to and can be told, made from its code.
final class ProtocolTables {

    static final String FILE = "docs/protocol.md";

    private static final String OPTIONS = "reference-daemon/src/main/java/vitrine/daemon/DaemonOptions.java";
    private static final Pattern FEATURE_OF_OPTION = Pattern.compile("Feature\\.(\\w+), \\w+\\(\"(--[\\w-]+)\"");

    private ProtocolTables() {}

    static String text() {
        return """
            # The protocol, request by request

            Which requests the daemon answers, what it agrees to in INIT, and which options it has. This page is
            made from the code, and a test compares the two; `VITRINE_REGENERATE=1 ./vitrine test ProtocolTableTest`
            writes it anew.

            ## Requests

            FUSE 7.%d to 7.%d. What is refused is refused with an errno that the guest's kernel can live with. Two
            families have an option of their own: without `--xattr`, `--posix-lock` and `--flock` their requests are
            ENOSYS too.

            %s
            ## Flags of INIT

            The guest offers, the daemon takes. Whatever is not offered is never taken.

            %s
            ## Options

            Both spellings mean the same: that of the Rust daemon, and that of QEMU's C daemon, which stands in a
            list after `-o`.

            %s""".formatted(Dialect.OLDEST_MINOR, Dialect.NEWEST_MINOR, requests(), flags(), options());
    }

    private static String requests() {
        Answers answers = new Answers();
        Stream<List<String>> known = Arrays.stream(Opcode.values())
                .map(opcode -> List.of(
                        Integer.toString(opcode.number()),
                        "`" + opcode + "`",
                        opcode.since(),
                        opcode.sentence(),
                        answers.to(opcode)));
        String never = IntStream.rangeClosed(1, Opcode.STATX.number())
                .filter(number -> Opcode.of(number) == null)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
        Stream<List<String>> other = Stream.of(
                List.of(never, "", "", "Nothing: GETDIR and INVALIDATE of a FUSE older than Linux' own.", "ENOSYS"),
                List.of("others", "", "", "", answers.toAnyOther()));
        return table(
                List.of("number", "request", "since", "what it asks for", "who answers, or why nobody does"),
                Stream.concat(known, other));
    }

    private static String flags() {
        Map<String, String> optionOf = optionOfFeature();
        return table(
                List.of("bit", "flag", "since", "what it means", "taken", "because"),
                Arrays.stream(InitFlag.values())
                        .map(flag -> List.of(
                                Integer.toString(Long.numberOfTrailingZeros(flag.bit())),
                                "`" + flag + "`",
                                flag.since(),
                                flag.sentence(),
                                taken(InitDecision.on(flag), optionOf),
                                InitDecision.on(flag).because())));
    }

    private static String taken(InitDecision decision, Map<String, String> optionOf) {
        return switch (decision) {
            case InitDecision.Taken _ -> "yes";
            case InitDecision.Left _ -> "no";
            case InitDecision.TakenWithWindow _ -> "with a DAX window (`--dax`)";
            case InitDecision.TakenWith(Feature feature, List<InitFlag> together, var _) ->
                "with `" + optionOf.get(feature.name()) + "`"
                        + together.stream().map(flag -> ", and `" + flag + "`").collect(Collectors.joining());
        };
    }

    /// Which option switches a feature, as it is called when it switches it on.
    private static Map<String, String> optionOfFeature() {
        Map<String, String> options = new LinkedHashMap<>();
        Matcher matcher = FEATURE_OF_OPTION.matcher(Repository.read(OPTIONS));
        while (matcher.find()) {
            options.put(matcher.group(1), matcher.group(2).replace("--no-", "--"));
        }
        for (Feature feature : Feature.values()) {
            if (!options.containsKey(feature.name())) {
                throw new AssertionError(OPTIONS + ": no option for " + feature);
            }
        }
        return options;
    }

    private static String options() {
        Map<String, String> older = olderSpellings();
        return table(
                List.of("option", "in a list after `-o`", "what it does"),
                CommandLineSyntax.parser().getCommandSpec().options().stream()
                        .filter(option -> !option.hidden())
                        .map(option -> List.of(
                                spelling(option),
                                older.getOrDefault(positive(option.longestName()), ""),
                                String.join(" ", option.description()))));
    }

    private static String spelling(OptionSpec option) {
        String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
        String name = positive(option.longestName());
        return "`" + name + value + "`" + (option.negatable() ? ", `" + name.replaceFirst("--", "--no-") + "`" : "");
    }

    /// The older names by the option that they stand for; a negation stands for none of its own.
    private static Map<String, String> olderSpellings() {
        Map<String, String> older = new LinkedHashMap<>();
        new TreeMap<>(OptionList.longOptions()).forEach((item, option) -> {
            if (!option.isEmpty()) {
                older.merge(
                        positive(option.replaceFirst("=.*", "")), "`" + item + "`", (some, more) -> some + ", " + more);
            }
        });
        return older;
    }

    private static String positive(String option) {
        return option.replaceFirst("^--no-", "--");
    }

    private static String table(List<String> head, Stream<List<String>> rows) {
        StringBuilder table = new StringBuilder();
        row(table, head);
        row(table, head.stream().map(_ -> "---").toList());
        rows.forEach(cells -> row(table, cells));
        return table.toString();
    }

    private static void row(StringBuilder table, List<String> cells) {
        table.append("| ")
                .append(cells.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ")))
                .append(" |\n");
    }
}
