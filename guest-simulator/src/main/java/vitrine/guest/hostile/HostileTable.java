package vitrine.guest.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The lies, what is right, and what each daemon did.
final class HostileTable {

    private static final int CLAIM_WIDTH = 48;
    private static final int WIDTH = 26;

    private final List<String> names;
    private final int[] harmed;
    private int told;
    private String group = "";

    /// @param names of the daemons
    HostileTable(List<String> names) {
        this.names = names;
        harmed = new int[names.size()];
    }

    String head() {
        return line(Stream.concat(Stream.of("", "right"), names.stream()));
    }

    /// One lie, and before it the name of its group if that is a new one.
    List<String> row(Lie lie, List<Outcome> outcomes) {
        List<String> lines = new ArrayList<>();
        if (!lie.group().equals(group)) {
            group = lie.group();
            lines.add(group);
        }
        for (int i = 0; i < harmed.length; i++) {
            harmed[i] += outcomes.get(i).isHarm() ? 1 : 0;
        }
        told++;
        lines.add(line(Stream.concat(
                Stream.of("  " + lie.claim(), lie.right()), outcomes.stream().map(Outcome::toString))));
        return lines;
    }

    /// After how many lies each daemon served an honest guest.
    String sum() {
        return line(Stream.concat(
                Stream.of("an honest guest goes on", told + " of " + told),
                IntStream.of(harmed).mapToObj(harm -> told - harm + " of " + told)));
    }

    boolean isHarmless() {
        return IntStream.of(harmed).sum() == 0;
    }

    private static String line(Stream<String> cells) {
        List<String> list = cells.toList();
        return IntStream.range(0, list.size())
                .mapToObj(i -> ("%-" + (i == 0 ? CLAIM_WIDTH : WIDTH) + "s ").formatted(list.get(i)))
                .collect(Collectors.joining())
                .stripTrailing();
    }
}
