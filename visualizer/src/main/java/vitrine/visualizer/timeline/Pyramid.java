package vitrine.visualizer.timeline;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Many spans at a glance: 64 of them together, 64 of those, and so on. Who draws a million looks
/// at single ones only where they are wide enough to be seen.
public final class Pyramid {

    /// What is told to whoever looks, in the order of beginning.
    public interface Visitor {
        /// A single span.
        void one(int span);

        /// Several that lie too close together to be told apart.
        void many(Many many);
    }

    /// Some spans in a row; rows are bits.
    ///
    /// @param rows that have one of them
    /// @param failed rows in which one failed
    /// @param matching rows in which one is let through by the filter
    public record Many(long begin, int rows, int failed, int matching) {}

    /// Which spans are looked at, and from which length on one by one.
    ///
    /// @param matching events that a filter lets through, null for all
    public record Sight(long from, long to, long narrow, BitSet matching) {}

    private static final int BITS = 6;
    private static final int FAN = 1 << BITS;

    /// A number for each group: when it is over, and its rows.
    private record Level(long[] ends, byte[] rows, byte[] failed) {}

    private final Spans spans;
    private final List<Level> levels = new ArrayList<>(); // the finest first
    private BitSet matching;
    private List<byte[]> matched;

    Pyramid(Spans spans) {
        this.spans = spans;
        for (int groups = groups(spans.size()); groups > 0; groups = groups == 1 ? 0 : groups(groups)) {
            levels.add(level(groups));
        }
    }

    private static int groups(int members) {
        return members + FAN - 1 >> BITS;
    }

    private Level level(int groups) {
        int below = levels.size() - 1;
        Level level = new Level(new long[groups], new byte[groups], new byte[groups]);
        int members = below < 0 ? spans.size() : levels.get(below).ends.length;
        for (int member = 0; member < members; member++) {
            int group = member >> BITS;
            long end = below < 0 ? spans.end(member) : levels.get(below).ends[member];
            level.ends[group] = (member & FAN - 1) == 0 ? end : Math.max(level.ends[group], end);
            level.rows[group] |= below < 0 ? row(member) : levels.get(below).rows[member];
            level.failed[group] |=
                    below < 0 ? spans.failed(member) ? row(member) : 0 : levels.get(below).failed[member];
        }
        return level;
    }

    private byte row(int span) {
        return (byte) (1 << spans.row(span));
    }

    /// Rows of each group in which the filter lets something through, for the last filter asked
    /// for.
    private List<byte[]> matched(BitSet events) {
        if (matching != events) {
            matched = new ArrayList<>();
            for (Level level : levels) {
                byte[] rows = new byte[level.ends.length];
                byte[] below = matched.isEmpty() ? null : matched.getLast();
                for (int member = 0; member < (below == null ? spans.size() : below.length); member++) {
                    rows[member >> BITS] |=
                            below == null ? events.get(spans.event(member)) ? row(member) : 0 : below[member];
                }
                matched.add(rows);
            }
            matching = events;
        }
        return matched;
    }

    /// Tells of all spans that are in sight.
    synchronized void look(Sight sight, Visitor visitor) {
        if (!levels.isEmpty()) {
            List<byte[]> let = sight.matching() == null ? null : matched(sight.matching());
            int top = levels.size() - 1;
            for (int group = 0; group < levels.get(top).ends.length; group++) {
                look(top, group, sight, let, visitor);
            }
        }
    }

    private void look(int level, int group, Sight sight, List<byte[]> let, Visitor visitor) {
        long begin = spans.begin(group << BITS * (level + 1));
        long end = levels.get(level).ends[group];
        if (begin > sight.to() || end < sight.from()) {
            return;
        }
        if (end - begin < sight.narrow()) {
            Level at = levels.get(level);
            int matches = let == null ? at.rows[group] : let.get(level)[group];
            visitor.many(new Many(begin, at.rows[group], at.failed[group], matches));
            return;
        }
        int first = group << BITS;
        int members = level == 0 ? spans.size() : levels.get(level - 1).ends.length;
        for (int member = first; member < Math.min(first + FAN, members); member++) {
            if (level > 0) {
                look(level - 1, member, sight, let, visitor);
            } else if (spans.begin(member) <= sight.to() && spans.end(member) >= sight.from()) {
                visitor.one(member);
            }
        }
    }
}
