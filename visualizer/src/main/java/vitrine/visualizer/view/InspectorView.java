package vitrine.visualizer.view;

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
import vitrine.visualizer.paint.Type;
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
    private static final double MEANING = 78;
    private static final double NARROW = 560;

    @Override
    public String name() {
        return "inspector";
    }

    @Override
    public String title() {
        return "Inspector";
    }

    @Override
    public void paint(Subject subject, Painter painter) {
        Box area = subject.area().inset(Look.MARGIN, 10);
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
        double bytesHeight = beside ? tables.height() : Math.min(lines * ROW, tables.height() / 2);
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

    private static void fields(Subject subject, List<Member> members, Box box, Painter painter) {
        double y = box.y();
        String struct = "";
        for (Member member : members) {
            boolean heading =
                    !member.struct().equals(struct) && !member.struct().isEmpty();
            if (y + (heading ? 2 : 1) * ROW > box.bottom() + 0.5) {
                Lettering.in(new Box(box.x(), y, box.width(), ROW), "…", Look.SMALL, Token.MUTED, painter);
                return;
            }
            if (heading) {
                Lettering.in(new Box(box.x(), y, box.width(), ROW), member.struct(), Look.HEADING, Token.TEXT, painter);
                y += ROW;
            }
            struct = member.struct();
            field(subject, member, new Box(box.x(), y, box.width(), ROW - 1), painter);
            y += ROW;
        }
        if (members.isEmpty()) {
            String none = "Nothing follows the header, or it is data, which a capture does not keep.";
            Lettering.paragraph(box, none, Look.BODY, Token.MUTED, painter);
        }
    }

    private static void field(Subject subject, Member member, Box row, Painter painter) {
        String id = id(member);
        String says = member.field() + " is " + member.value() + ". "
                + Meaning.of(member).sentence();
        painter.part(new Part(id, says.strip(), row), () -> {
            if (subject.isSelected(id)) {
                painter.rect(row, Fill.of(Token.PANEL).edged(Token.SELECTED, 2).rounded(3));
            }
            Box inner = row.inset(6, 0);
            double name = inner.width() * 0.42;
            Lettering.in(inner.left(name - 8), member.field(), Look.CODE, Token.TEXT, painter);
            String where = "+" + member.offset() + "  " + member.bytes().length;
            double place = 62;
            Lettering.in(inner.rightOf(name).left(place - 6), where, Look.SMALL_CODE, Token.MUTED, painter);
            Type value = Look.CODE.toTheRight();
            Lettering.in(inner.rightOf(name + place), member.value(), value, Token.TEXT, painter);
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
            Box inner = box.inset(10, 8);
            String line = chosen.get().field() + " = " + chosen.get().value();
            Lettering.in(inner.top(18), line, Look.CODE.heavy(), Token.TEXT, painter);
            Lettering.in(inner.below(19).top(18), meaning.sentence(), Look.BODY, Token.TEXT, painter);
            Lettering.in(inner.below(38).top(18), meaning.reference(), Look.SMALL, Token.MUTED, painter);
        });
    }

    /// The bytes, in rows.
    private record Bytes(Subject subject, List<Member> members, int perRow, Box box) {

        void paint(Painter painter) {
            int rows = (int) (box.height() / ROW);
            for (int row = 0; row < rows && !members.isEmpty() && row * perRow < end(members); row++) {
                String offset = "%04x".formatted(row * perRow);
                Box at = new Box(box.x(), box.y() + row * ROW, OFFSET - 6, ROW);
                Lettering.in(at, offset, Look.SMALL_CODE, Token.MUTED, painter);
            }
            boolean even = false;
            for (Member member : members) {
                even = !even;
                member(member, even, rows, painter);
            }
        }

        /// The bytes of every second field have a ground, so that it is seen where one ends.
        private void member(Member member, boolean grounded, int rows, Painter painter) {
            boolean selected = subject.isSelected(id(member));
            for (int i = 0; i < member.bytes().length; i++) {
                int place = member.offset() + i;
                if (place / perRow >= rows) {
                    return;
                }
                Box at = new Box(box.x() + OFFSET + place % perRow * HEX, box.y() + place / perRow * ROW, HEX, ROW - 2);
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
