package vitrine.visualizer.timeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import vitrine.visualizer.timeline.Alignment.Item;
import vitrine.visualizer.timeline.Alignment.Pair;

/// Two runs of the same program, request by request.
///
/// First the system calls of the guest are laid beside each other: one run may have made more of
/// them. Then, within each pair, the requests are. What only one run called for stands alone, and
/// so does a system call of one run only that needed no request.
///
/// @param rows in the order of the system calls
public record Difference(List<Row> rows) {

    private static final String OTHER = "other-request";

    /// Keeps its own copy.
    public Difference {
        rows = List.copyOf(rows);
    }

    /// How the two sides of a row compare.
    public enum Verdict {
        /// The same request.
        SAME("="),
        /// The same kind of request, but it says something else, or ended another way.
        CHANGED("!="),
        /// Only the first run has it.
        ONLY_FIRST("-"),
        /// Only the second run has it.
        ONLY_SECOND("+");

        private final String sign;

        Verdict(String sign) {
            this.sign = sign;
        }

        /// A sign for it.
        public String sign() {
            return sign;
        }
    }

    /// A row: at least one side has something.
    public record Row(Verdict verdict, Optional<Story> first, Optional<Story> second) {

        /// The number of the guest's system call, of both if they differ; a dash for what the
        /// kernel did by itself.
        public String call() {
            List<String> numbers = new ArrayList<>();
            first.ifPresent(story -> numbers.add(story.call() == 0 ? "–" : "" + story.call()));
            second.ifPresent(story -> numbers.add(story.call() == 0 ? "–" : "" + story.call()));
            return numbers.stream().distinct().collect(Collectors.joining(" / "));
        }

        /// The id of its part in a picture: requests of the second run have one of their own.
        public String id() {
            return first.map(story -> "request-" + (story.number() + 1))
                    .orElseGet(() -> OTHER + "-" + (second.orElseThrow().number() + 1));
        }
    }

    /// Whether both runs made the same requests, with the same end.
    public boolean isNone() {
        return count(Verdict.SAME) == rows.size();
    }

    /// Aligns two runs.
    public static Difference of(Run first, Run second) {
        Numbering numbering = new Numbering();
        List<Call> ofFirst = Call.all(first, numbering);
        List<Call> ofSecond = Call.all(second, numbering);
        List<Row> rows = new ArrayList<>();
        for (Pair pair : Alignment.of(items(ofFirst), items(ofSecond))) {
            List<Story> left = stories(ofFirst, pair.first(), pair.second() < 0);
            List<Story> right = stories(ofSecond, pair.second(), pair.first() < 0);
            List<Item> said =
                    left.stream().map(story -> numbering.item(first, story)).toList();
            List<Item> answered =
                    right.stream().map(story -> numbering.item(second, story)).toList();
            for (Pair requests : Alignment.of(said, answered)) {
                rows.add(row(left, said, right, answered, requests));
            }
        }
        return new Difference(rows);
    }

    private static List<Item> items(List<Call> calls) {
        return calls.stream().map(Call::item).toList();
    }

    /// What a system call has to show: if it stands alone, also that it needed no request.
    private static List<Story> stories(List<Call> calls, int which, boolean alone) {
        return which < 0
                ? List.of()
                : calls.get(which).stories().stream()
                        .filter(story -> alone || story.isRequest())
                        .toList();
    }

    private static Row row(List<Story> left, List<Item> said, List<Story> right, List<Item> answered, Pair pair) {
        Optional<Story> first = pair.first() < 0 ? Optional.empty() : Optional.of(left.get(pair.first()));
        Optional<Story> second = pair.second() < 0 ? Optional.empty() : Optional.of(right.get(pair.second()));
        if (first.isEmpty() || second.isEmpty()) {
            return new Row(second.isEmpty() ? Verdict.ONLY_FIRST : Verdict.ONLY_SECOND, first, second);
        }
        boolean same = said.get(pair.first()).equals(answered.get(pair.second()));
        return new Row(same ? Verdict.SAME : Verdict.CHANGED, first, second);
    }

    /// Texts as numbers, the same for both runs.
    private static final class Numbering {
        private final Map<String, Integer> numbers = new HashMap<>();

        /// A request with how it was answered: one that failed is not the same.
        Item item(Run run, Story story) {
            return item(story.opcode(), Digest.of(run, story) + " " + story.error());
        }

        Item item(String kind, String whole) {
            return new Item(number(kind), number(whole));
        }

        private int number(String text) {
            return numbers.computeIfAbsent(text, _ -> numbers.size());
        }
    }

    /// A system call of the guest and what came of it; or what the kernel did in a row by itself.
    private record Call(Item item, List<Story> stories) {

        static List<Call> all(Run run, Numbering numbering) {
            List<List<Story>> groups = new ArrayList<>();
            Map<Long, List<Story>> byCall = new HashMap<>();
            for (Story story : run.stories().all()) {
                boolean goesOn =
                        !groups.isEmpty() && groups.getLast().getFirst().call() == 0;
                if (story.call() == 0 && goesOn) {
                    groups.getLast().add(story);
                    continue;
                }
                List<Story> known = story.call() == 0 ? null : byCall.get(story.call());
                if (known == null) {
                    known = new ArrayList<>();
                    groups.add(known);
                    byCall.put(story.call(), known);
                }
                known.add(story);
            }
            return groups.stream()
                    .map(stories -> new Call(item(run, stories, numbering), stories))
                    .toList();
        }

        private static Item item(Run run, List<Story> stories, Numbering numbering) {
            if (stories.getFirst().call() != 0) {
                for (int n : run.stories().events(stories.getFirst().number())) {
                    if (run.kind(n) == Kind.GUEST_CALL_ENTERED) {
                        return numbering.item(
                                run.name(n), run.name(n) + " " + run.columns().text(n));
                    }
                }
            }
            return numbering.item("", "" + stories.getFirst().opcode());
        }
    }

    /// How many rows have this verdict.
    public long count(Verdict verdict) {
        return rows.stream().filter(row -> row.verdict() == verdict).count();
    }

    /// How many requests only one side has, by opcode, such as `7 GETXATTR`.
    public String onlyIn(Verdict side) {
        Map<String, Long> counts = rows.stream()
                .filter(row -> row.verdict() == side)
                .map(row -> row.first().or(row::second).orElseThrow())
                .filter(Story::isRequest)
                .collect(Collectors.groupingBy(Story::opcode, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    /// The row that a reader of the first run looks at: what is selected, else the request of the
    /// moment.
    public OptionalInt rowOf(Run first, Session session) {
        Optional<Integer> other = Selection.number(session.selection(), OTHER);
        Optional<Story> story = session.story(first);
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            boolean here = other.isPresent()
                    ? row.first().isEmpty() && row.id().equals(session.selection())
                    : row.first().equals(story) && story.isPresent();
            if (here) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    /// The next row after this one, or the last before it, in which the runs differ.
    ///
    /// @param row -1 to begin with the first
    public OptionalInt next(int row, boolean forward) {
        int step = forward ? 1 : -1;
        for (int i = row + step; i >= 0 && i < rows.size(); i += step) {
            if (rows.get(i).verdict() != Verdict.SAME) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }
}
