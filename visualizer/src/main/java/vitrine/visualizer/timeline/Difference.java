package vitrine.visualizer.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Two runs of the same program, request by request.
///
/// Both make the same system calls, so their numbers say which requests may correspond at all; only
/// among those of one system call is there anything to align.
///
/// @param rows in the order of the system calls
public record Difference(List<Row> rows) {

    private static final long MOST_CELLS = 4_000_000; // of the table of one system call

    /// Keeps its own copy.
    public Difference {
        rows = List.copyOf(rows);
    }

    /// How the two sides of a row compare.
    public enum Verdict {
        /// The same request.
        SAME("="),
        /// The same kind of request, but it says something else.
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

    /// A row.
    ///
    /// @param call the number of the guest's system call, 0 for what the kernel did by itself
    public record Row(long call, Verdict verdict, Optional<Story> first, Optional<Story> second) {}

    /// Aligns two runs.
    public static Difference of(Run first, Run second) {
        TreeMap<Long, List<Story>> ofFirst = byCall(first);
        TreeMap<Long, List<Story>> ofSecond = byCall(second);
        TreeMap<Long, Boolean> calls = new TreeMap<>();
        ofFirst.keySet().forEach(call -> calls.put(call, true));
        ofSecond.keySet().forEach(call -> calls.put(call, true));
        List<Row> rows = new ArrayList<>();
        for (long call : calls.keySet()) {
            rows.addAll(new Aligning(first, second, call)
                    .align(ofFirst.getOrDefault(call, List.of()), ofSecond.getOrDefault(call, List.of())));
        }
        return new Difference(rows);
    }

    private static TreeMap<Long, List<Story>> byCall(Run run) {
        return run.stories().all().stream()
                .filter(Story::isRequest)
                .sorted(Comparator.comparingInt(Story::begin))
                .collect(Collectors.groupingBy(Story::call, TreeMap::new, Collectors.toList()));
    }

    /// How many rows have this verdict.
    public long count(Verdict verdict) {
        return rows.stream().filter(row -> row.verdict() == verdict).count();
    }

    /// How many requests only one side has, by opcode, such as `7 GETXATTR`.
    public String onlyIn(Verdict side) {
        Map<String, Long> counts = rows.stream()
                .filter(row -> row.verdict() == side)
                .map(row -> row.first().or(row::second).orElseThrow().opcode())
                .collect(Collectors.groupingBy(opcode -> opcode, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    /// The requests of one system call, aligned by the dearest common subsequence: two points for
    /// the same request, one for the same opcode.
    private record Aligning(Run one, Run other, long call) {

        List<Row> align(List<Story> first, List<Story> second) {
            if ((long) first.size() * second.size() > MOST_CELLS) {
                return inStep(first, second);
            }
            int[][] points = points(first, second);
            List<Row> rows = new ArrayList<>();
            int i = 0;
            int j = 0;
            while (i < first.size() || j < second.size()) {
                int match = i < first.size() && j < second.size() ? worth(first.get(i), second.get(j)) : 0;
                if (match > 0 && points[i][j] == points[i + 1][j + 1] + match) {
                    rows.add(both(first.get(i++), second.get(j++), match));
                } else if (i < first.size() && (j == second.size() || points[i + 1][j] >= points[i][j + 1])) {
                    rows.add(new Row(call, Verdict.ONLY_FIRST, Optional.of(first.get(i++)), Optional.empty()));
                } else {
                    rows.add(new Row(call, Verdict.ONLY_SECOND, Optional.empty(), Optional.of(second.get(j++))));
                }
            }
            return rows;
        }

        private int[][] points(List<Story> first, List<Story> second) {
            int[][] points = new int[first.size() + 1][second.size() + 1];
            for (int i = first.size() - 1; i >= 0; i--) {
                for (int j = second.size() - 1; j >= 0; j--) {
                    int match = worth(first.get(i), second.get(j));
                    int taken = match == 0 ? 0 : points[i + 1][j + 1] + match;
                    points[i][j] = Math.max(taken, Math.max(points[i + 1][j], points[i][j + 1]));
                }
            }
            return points;
        }

        private int worth(Story first, Story second) {
            if (!first.opcode().equals(second.opcode())) {
                return 0;
            }
            return Digest.of(one, first).equals(Digest.of(other, second)) ? 2 : 1;
        }

        private Row both(Story first, Story second, int match) {
            return new Row(call, match == 2 ? Verdict.SAME : Verdict.CHANGED, Optional.of(first), Optional.of(second));
        }

        /// Too many for a table: the first with the first, and so on.
        private List<Row> inStep(List<Story> first, List<Story> second) {
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < Math.max(first.size(), second.size()); i++) {
                if (i >= second.size()) {
                    rows.add(new Row(call, Verdict.ONLY_FIRST, Optional.of(first.get(i)), Optional.empty()));
                } else if (i >= first.size()) {
                    rows.add(new Row(call, Verdict.ONLY_SECOND, Optional.empty(), Optional.of(second.get(i))));
                } else {
                    rows.add(both(first.get(i), second.get(i), Math.max(1, worth(first.get(i), second.get(i)))));
                }
            }
            return rows;
        }
    }
}
