package vitrine.visualizer.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.anatomy.Anatomy;
import vitrine.visualizer.anatomy.Meaning;
import vitrine.visualizer.anatomy.Member;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Captions;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Rows;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.View;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Selection;
import vitrine.visualizer.timeline.Story;

/// The bytes of a request or a reply, the fields they are, and where each is specified. Bytes and
/// fields have the same name, so that either finds the other.
public final class InspectorView implements View {

    private static final double ROW = 20;
    private static final double HEX = 25;
    private static final double OFFSET = 40;
    private static final double MEANING = 84;
    private static final double NARROW = 560;
    private static final double WHERE = 0.42; // of a row, where offset and length stand

    @Override
    public String name() {
        return "inspector";
    }

    @Override
    public String title() {
        return "Inspector";
    }

    @Override
    public Box least() {
        return new Box(0, 0, 232, 340);
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        Box area =
                (subject.manner().lecture() ? Captions.around(subject, painter) : subject.area()).inset(Look.MARGIN, 8);
        Optional<Integer> message = message(subject);
        if (message.isEmpty()) {
            String why = "No bytes here: step to where the daemon reads a request.";
            Lettering.paragraph(area, why, Look.BODY, Token.MUTED, painter);
            return;
        }
        TraceEvent event = subject.run().event(message.get());
        List<Member> members = members(subject.run(), message.get(), event);
        Lettering.in(area.top(24), heading(subject.run(), message.get(), event), Look.TITLE, Token.TEXT, painter);
        Box rest = area.below(32);
        Box tables = rest.top(Math.max(ROW, rest.height() - MEANING));
        boolean beside = area.width() >= NARROW;
        int perRow = beside || area.width() >= OFFSET + 16 * HEX ? 16 : 8;
        double bytesWidth = OFFSET + perRow * HEX;
        int lines = members.isEmpty() ? 0 : (end(members) + perRow - 1) / perRow;
        double bytesHeight =
                beside ? tables.height() : Math.min(lines * ROW, Math.floor(0.45 * tables.height() / ROW) * ROW);
        new Bytes(subject, members, perRow, new Box(tables.x(), tables.y(), bytesWidth, bytesHeight)).paint(painter);
        Box fields = beside ? tables.rightOf(bytesWidth + 20) : tables.below(bytesHeight + 10);
        fields(subject, members, fields, painter);
        meaning(subject, members, rest.below(tables.height() + 6), painter);
    }

    /// The selected message, else the latest one of the request that is being looked at.
    private static Optional<Integer> message(Subject subject) {
        Run run = subject.run();
        Optional<Integer> selected = Selection.number(subject.session().selection(), "event")
                .filter(n -> n >= 0 && n < run.size() && isMessage(run, n));
        if (selected.isPresent()) {
            return selected;
        }
        Optional<Story> story = subject.session().story(run);
        int found = -1;
        for (int n : story.map(s -> run.stories().events(s.number())).orElse(new int[0])) {
            if (isMessage(run, n) && (found < 0 || n < subject.session().position())) {
                found = n;
            }
        }
        return found < 0 ? Optional.empty() : Optional.of(found);
    }

    private static boolean isMessage(Run run, int n) {
        return run.kind(n) == Kind.REQUEST_DECODED || run.kind(n) == Kind.REPLY_GIVEN;
    }

    private static List<Member> members(Run run, int n, TraceEvent event) {
        return switch (event) {
            case TraceEvent.RequestDecoded e ->
                Anatomy.ofRequest(e.opcode(), e.raw().toArray());
            case TraceEvent.ReplyGiven e ->
                Anatomy.ofReply(opcode(run, n), e.raw().toArray());
            default -> List.of();
        };
    }

    private static String opcode(Run run, int n) {
        return run.stories().of(n).map(Story::opcode).orElse("");
    }

    private static String heading(Run run, int n, TraceEvent event) {
        String unique = "  unique " + Long.toUnsignedString(event.at().keys().unique());
        return event instanceof TraceEvent.ReplyGiven reply
                ? "reply to " + opcode(run, n) + unique
                        + (reply.error() == 0 ? "" : "  " + Wording.result(0, reply.error()))
                : "request " + opcode(run, n) + unique;
    }

    static int end(List<Member> members) {
        Member last = members.getLast();
        return last.offset() + last.bytes().length;
    }

    static String id(Member member) {
        return "field-" + (member.struct().isEmpty() ? "" : member.struct() + ".") + member.field();
    }

    /// The fields, each struct under its name.
    private static void fields(Subject subject, List<Member> members, Box box, Painter painter) {
        if (members.isEmpty()) {
            String none = "Nothing follows the header, or it is data, which a capture does not keep.";
            Lettering.paragraph(box, none, Look.BODY, Token.MUTED, painter);
        }
        List<Optional<Member>> lines = new ArrayList<>(); // empty: the name of the struct of the next one
        String struct = "";
        int selected = 0;
        for (Member member : members) {
            if (!member.struct().equals(struct) && !member.struct().isEmpty()) {
                lines.add(Optional.empty());
            }
            struct = member.struct();
            selected = subject.isSelected(id(member)) ? lines.size() : selected;
            lines.add(Optional.of(member));
        }
        Rows rows = Rows.of(
                lines.size(),
                Rows.room(box.height(), ROW),
                selected,
                subject.manner().scroll());
        for (int i = rows.first(); i < rows.end(); i++) {
            Box row = box.below((i - rows.first()) * ROW).top(ROW - 1);
            if (lines.get(i).isPresent()) {
                field(subject, lines.get(i).get(), row, painter);
            } else {
                String name = lines.get(i + 1).map(Member::struct).orElse("");
                Lettering.in(row, name, Look.HEADING, Token.TEXT, painter);
            }
        }
        rows.say("fields", box.below(rows.shown() * ROW).top(ROW), painter);
    }

    /// Where a field lies is said where there is room for it: its value comes first.
    private static void field(Subject subject, Member member, Box row, Painter painter) {
        String id = id(member);
        String says = member.field() + " is " + member.value() + ". "
                + Meaning.of(member).sentence();
        painter.part(new Part(id, says.strip(), row), () -> {
            if (subject.isSelected(id)) {
                painter.rect(row, Fill.of(Token.PANEL).edged(Token.SELECTED, 2).rounded(3));
            }
            Box inner = row.inset(6, 0);
            double name = Math.min(painter.width(member.field(), Look.CODE) + 8, 0.5 * inner.width());
            Lettering.in(inner.left(name), member.field(), Look.CODE, Token.TEXT, painter);
            double value = Math.min(painter.width(member.value(), Look.CODE) + 1, inner.width() - name);
            Lettering.in(
                    inner.rightOf(inner.width() - value), member.value(), Look.CODE.toTheRight(), Token.TEXT, painter);
            String where = "+" + member.offset() + "  " + member.bytes().length;
            Box between = inner.rightOf(Math.max(name, WHERE * inner.width()));
            if (between.x() + painter.width(where, Look.SMALL_CODE) + 10 <= inner.right() - value) {
                Lettering.in(between, where, Look.SMALL_CODE, Token.MUTED, painter);
            }
        });
    }

    /// What the selected field is for; of the opcode, if none is selected.
    private static void meaning(Subject subject, List<Member> members, Box box, Painter painter) {
        Optional<Member> chosen = members.stream()
                .filter(member -> subject.isSelected(id(member)))
                .findFirst()
                .or(() -> members.stream()
                        .filter(member -> member.field().equals("opcode"))
                        .findFirst());
        if (chosen.isEmpty()) {
            return;
        }
        Meaning meaning = Meaning.of(chosen.get());
        painter.part(new Part("meaning", meaning.sentence() + " (" + meaning.reference() + ")", box), () -> {
            painter.rect(box, Fill.of(Token.PANEL).edged(Token.RULE, 1).rounded(Look.CORNER));
            Box inner = box.inset(10, 6);
            String line = chosen.get().field() + " = " + chosen.get().value();
            Lettering.in(inner.top(18), line, Look.CODE.heavy(), Token.TEXT, painter);
            Box text = inner.below(18).top(36);
            double used = Lettering.paragraph(text, meaning.sentence(), Look.BODY, Token.TEXT, painter);
            Lettering.in(inner.below(18 + used).top(17), meaning.reference(), Look.SMALL, Token.MUTED, painter);
        });
    }

    /// The bytes, in rows.
    private record Bytes(Subject subject, List<Member> members, int perRow, Box box) {

        void paint(Painter painter) {
            if (members.isEmpty()) {
                return;
            }
            int lines = (end(members) + perRow - 1) / perRow;
            int selected = members.stream()
                    .filter(member -> subject.isSelected(id(member)))
                    .findFirst()
                    .map(member -> member.offset() / perRow)
                    .orElse(0);
            Rows rows = Rows.of(
                    lines,
                    Rows.room(box.height(), ROW),
                    selected,
                    subject.manner().scroll());
            for (int row = rows.first(); row < rows.end(); row++) {
                Box at = box.below((row - rows.first()) * ROW).top(ROW).left(OFFSET - 6);
                Lettering.in(at, "%04x".formatted(row * perRow), Look.SMALL_CODE, Token.MUTED, painter);
            }
            boolean even = false;
            for (Member member : members) {
                even = !even;
                member(member, even, rows, painter);
            }
            rows.say("bytes", box.below(rows.shown() * ROW).top(ROW), painter);
        }

        /// The bytes of every second field have a ground, so that it is seen where one ends.
        private void member(Member member, boolean grounded, Rows rows, Painter painter) {
            boolean selected = subject.isSelected(id(member));
            for (int i = 0; i < member.bytes().length; i++) {
                int place = member.offset() + i;
                int row = place / perRow;
                if (row < rows.first() || row >= rows.end()) {
                    continue;
                }
                double y = box.y() + (row - rows.first()) * ROW;
                Box at = new Box(box.x() + OFFSET + place % perRow * HEX, y, HEX, ROW - 2);
                String text = "%02x".formatted(member.bytes()[i]);
                Token ground = selected ? Token.SELECTED : Token.PANEL;
                painter.part(new Part(id(member), member.field() + " = " + member.value(), at), () -> {
                    if (grounded || selected) {
                        painter.rect(at, Fill.of(ground));
                    }
                    Token ink = selected ? Token.PAGE : text.equals("00") ? Token.FAINT : Token.TEXT;
                    Lettering.in(at, text, Look.CODE.centred(), ink, painter);
                });
            }
        }
    }
}
