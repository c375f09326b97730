package vitrine.visualizer.sheet;

import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;

/// Which rows of a list are shown: as many as there is room for, with the one that matters in their
/// middle, or where the reader has scrolled to. What is not shown is said in the last row.
///
/// @param first the number of the first that is shown
/// @param shown how many are
/// @param all how many there are
public record Rows(int first, int shown, int all) {

    private static final double BETWEEN = 14;

    /// @param room for how many rows there is room
    /// @param wanted the row that is to be seen
    /// @param scroll by how many rows the reader has moved on from there
    public static Rows of(int all, int room, int wanted, int scroll) {
        if (all <= room) {
            return new Rows(0, all, all);
        }
        int shown = Math.max(0, room - 1);
        int natural = Math.clamp(wanted - shown / 2L, 0, all - shown);
        return new Rows(Math.clamp((long) natural + scroll, 0, all - shown), shown, all);
    }

    /// As many as fit into a height.
    public static int room(double height, double row) {
        return (int) Math.max(0, Math.floor((height + 0.5) / row));
    }

    /// The number after the last one that is shown.
    public int end() {
        return first + shown;
    }

    int above() {
        return first;
    }

    int below() {
        return all - end();
    }

    /// Says how many are missing, and where.
    ///
    /// @param what they are, for the names of the two parts
    public void say(String what, Box line, Painter painter) {
        Box left = line;
        if (below() > 0) {
            left = say(what + "-below", below(), "more below", left, painter);
        }
        if (above() > 0) {
            say(what + "-above", above(), below() > 0 ? "above" : "more above", left, painter);
        }
    }

    private static Box say(String id, int count, String where, Box line, Painter painter) {
        String text = "+" + count + " " + where;
        double wide = Math.min(line.width(), painter.width(text, Look.SMALL) + 0.1);
        Box box = line.left(wide);
        String says = count + " " + where + ": turn the wheel, or press Ctrl+Down or Ctrl+Up.";
        painter.part(new Part(id, says, box), () -> Lettering.in(box, text, Look.SMALL, Token.MUTED, painter));
        return line.rightOf(wide + BETWEEN);
    }

    /// Whether a part says that there is more in a direction.
    ///
    /// @param by down for a positive number
    public static boolean isMore(Part part, int by) {
        return part.id().endsWith(by > 0 ? "-below" : "-above");
    }
}
