package vitrine.visualizer.paint;

import java.util.ArrayList;
import java.util.List;

/// Text that stays in its box.
public final class Lettering {

    private static final String ELLIPSIS = "…";
    private static final double LEADING = 1.35; // from line to line, of the size of the letters

    private Lettering() {}

    /// As much of a text as fits, with dots where something is missing; empty if not even they fit.
    public static String fitting(String text, Type type, double room) {
        Typeface face = Typeface.of(type);
        if (face.width(text, type.size()) <= room) {
            return text;
        }
        double left = room - face.width(ELLIPSIS, type.size());
        int end = 0;
        for (double used = 0; end < text.length() && used <= left; end++) {
            used += face.width(text.charAt(end)) * type.size();
            if (used > left) {
                break;
            }
        }
        return left < 0 || end == 0 ? "" : text.substring(0, end).stripTrailing() + ELLIPSIS;
    }

    /// Draws a text in a box: upright in the middle, aligned as its type says, shortened if need
    /// be.
    public static void in(Box box, String text, Type type, Token token, Painter painter) {
        String shown = fitting(text, type, box.width());
        if (shown.isEmpty()) {
            return;
        }
        double x = switch (type.align()) {
            case LEFT -> box.x();
            case CENTRE -> box.middleX();
            case RIGHT -> box.right();
        };
        painter.text(shown, x, baseline(box, type), type, token);
    }

    /// Where the base line of a text lies that stands in the middle of a box.
    public static double baseline(Box box, Type type) {
        return box.middleY() + type.size() * 0.34;
    }

    /// A text in lines that fit, broken at blanks; a word that is too long is shortened.
    public static List<String> lines(String text, Type type, double room) {
        Typeface face = Typeface.of(type);
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split("\\s+")) {
            String longer = line.isEmpty() ? word : line + " " + word;
            if (!line.isEmpty() && face.width(longer, type.size()) > room) {
                lines.add(line.toString());
                longer = word;
            }
            line.setLength(0);
            line.append(fitting(longer, type, room));
        }
        lines.add(line.toString());
        return lines;
    }

    /// How much height such lines take.
    public static double height(String text, Type type, double room) {
        return lines(text, type, room).size() * type.size() * LEADING;
    }

    /// Draws such lines from the top of a box, as many as fit, and says how much height they took.
    public static double paragraph(Box box, String text, Type type, Token token, Painter painter) {
        double leading = type.size() * LEADING;
        double y = box.y();
        for (String line : lines(text, type, box.width())) {
            if (y + leading > box.bottom() + 0.5) {
                break;
            }
            painter.text(line, box.x(), y + type.size(), type, token);
            y += leading;
        }
        return y - box.y();
    }
}
