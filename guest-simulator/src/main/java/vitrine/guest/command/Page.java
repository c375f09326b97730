package vitrine.guest.command;

import java.util.ArrayList;
import java.util.List;

/// Sets rows of a label, a text on the left and a note on the right into lines of one width.
///
/// A text that does not fit beside its note goes on in the next line. No line is wider than
/// the page.
final class Page {

    private static final String BOLD = "\u001b[1m";
    private static final String DIM = "\u001b[2m";
    private static final String RED = "\u001b[31m";
    private static final String OFF = "\u001b[0m";

    private static final String INDENT = "    ";
    private static final int LABEL = 9; // columns, with the blanks after it
    private static final int GAP = 2; // columns at least between a text and its note
    private static final int NARROWEST_TEXT = 24; // where less is left, the note goes below

    private final int width;
    private final boolean colour;
    private final List<String> lines = new ArrayList<>();

    Page(int width, boolean colour) {
        this.width = width;
        this.colour = colour;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    /// The first row of a block: no label, and what follows is indented.
    void head(String text, String note) {
        set("", text, note, BOLD);
    }

    /// A row with a label.
    void row(String label, String text, String note, boolean alarming) {
        set(INDENT + padded(label, LABEL), text, note, alarming ? RED : "");
    }

    /// One line for all: the text is cut where it would run into the note.
    String line(String text, String note, boolean alarming) {
        int room = width - note.length() - GAP;
        String cut = text.length() <= room ? text : text.substring(0, room - 3) + "...";
        return painted(alarming ? RED : "", cut) + spaces(width - cut.length() - note.length()) + note;
    }

    private void set(String label, String text, String note, String paint) {
        String indent = spaces(label.isEmpty() ? INDENT.length() : label.length());
        boolean beside = width - indent.length() - note.length() > NARROWEST_TEXT;
        String start = label;
        String end = beside ? note : "";
        int firstRoom = width - start.length() - (end.isEmpty() ? 0 : end.length() + GAP);
        for (String line : wrap(text, firstRoom, width - indent.length())) {
            int gap = width - start.length() - line.length() - end.length();
            lines.add(painted(DIM, start) + painted(paint, line) + (end.isEmpty() ? "" : spaces(gap) + end));
            start = indent;
            end = "";
        }
        if (!beside) {
            wrap(note, width - indent.length(), width - indent.length()).forEach(line -> lines.add(indent + line));
        }
    }

    /// Breaks at blanks, else after a `|` between flags, else anywhere.
    private static List<String> wrap(String text, int firstRoom, int laterRoom) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        int room = firstRoom;
        while (rest.length() > room) {
            int blank = rest.lastIndexOf(' ', room);
            int flag = rest.lastIndexOf('|', room - 1) + 1;
            int end = blank > 0 ? blank : flag > 0 ? flag : room;
            lines.add(rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
            room = laterRoom;
        }
        lines.add(rest);
        return lines;
    }

    private String painted(String paint, String text) {
        return colour && !paint.isEmpty() && !text.isBlank() ? paint + text + OFF : text;
    }

    private static String padded(String text, int columns) {
        return text.length() >= columns ? text + " " : text + spaces(columns - text.length());
    }

    private static String spaces(int count) {
        return " ".repeat(Math.max(0, count));
    }
}
