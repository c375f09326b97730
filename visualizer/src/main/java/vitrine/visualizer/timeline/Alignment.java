package vitrine.visualizer.timeline;

import java.util.ArrayList;
import java.util.List;

/// Two sequences beside each other, so that as many as can be stand beside their like.
///
/// Two points for the same, one for the same kind, none for anybody else: the way with the most
/// points is found by a table of all pairs. Sequences too long for one table are laid beside each
/// other piece by piece.
final class Alignment {

    /// What is compared of one of them: two of the same `whole` are of the same `kind`.
    record Item(int kind, int whole) {}

    /// Two that stand beside each other; -1 for nobody.
    record Pair(int first, int second) {}

    private static final int PIECE = 1000;

    private final List<Item> first;
    private final List<Item> second;
    private final List<Pair> pairs = new ArrayList<>();
    private int i;
    private int j;

    private Alignment(List<Item> first, List<Item> second) {
        this.first = first;
        this.second = second;
    }

    /// All of both, each in its order.
    static List<Pair> of(List<Item> first, List<Item> second) {
        Alignment alignment = new Alignment(first, second);
        while (alignment.i < first.size() || alignment.j < second.size()) {
            if (alignment.i < first.size() && alignment.j < second.size() && alignment.worth(0, 0) == 2) {
                alignment.both(); // nothing is better for two that are the same
            } else {
                alignment.piece();
            }
        }
        return alignment.pairs;
    }

    private int worth(int ahead, int otherAhead) {
        Item one = first.get(i + ahead);
        Item other = second.get(j + otherAhead);
        return one.whole() == other.whole() && one.kind() == other.kind() ? 2 : one.kind() == other.kind() ? 1 : 0;
    }

    private void both() {
        pairs.add(new Pair(i++, j++));
    }

    /// The next piece of both, and of that only half where more is to come: what fits the second
    /// half best may come after it.
    private void piece() {
        int rows = Math.min(PIECE, first.size() - i);
        int columns = Math.min(PIECE, second.size() - j);
        int[][] points = points(rows, columns);
        int mostOfFirst = i + rows < first.size() ? rows / 2 : rows + 1;
        int mostOfSecond = j + columns < second.size() ? columns / 2 : columns + 1;
        int fromFirst = i;
        int fromSecond = j;
        while (i - fromFirst < mostOfFirst
                && j - fromSecond < mostOfSecond
                && (i < first.size() || j < second.size())) {
            int row = i - fromFirst;
            int column = j - fromSecond;
            int match = row < rows && column < columns ? worth(0, 0) : 0;
            if (match > 0 && points[row][column] == points[row + 1][column + 1] + match) {
                both();
            } else if (row < rows && (column == columns || points[row + 1][column] >= points[row][column + 1])) {
                pairs.add(new Pair(i++, -1));
            } else {
                pairs.add(new Pair(-1, j++));
            }
        }
    }

    /// By how many of both are left out: the most points that the rest can make.
    private int[][] points(int rows, int columns) {
        int[][] points = new int[rows + 1][columns + 1];
        for (int row = rows - 1; row >= 0; row--) {
            for (int column = columns - 1; column >= 0; column--) {
                int match = worth(row, column);
                int taken = match == 0 ? 0 : points[row + 1][column + 1] + match;
                points[row][column] = Math.max(taken, Math.max(points[row + 1][column], points[row][column + 1]));
            }
        }
        return points;
    }
}
