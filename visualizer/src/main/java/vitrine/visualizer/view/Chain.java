package vitrine.visualizer.view;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.anatomy.Anatomy;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.timeline.RingState;
import vitrine.visualizer.timeline.RingState.Flying;
import vitrine.visualizer.timeline.Run;

/// A chain of descriptors on its way, and what lies in each of them.
///
/// @param descriptors their numbers, in the order of the chain
/// @param contents what is in each, as far as the driver said
record Chain(Flying flying, String opcode, List<Integer> descriptors, List<String> contents) {

    private static final int NEXT = 1;
    private static final int IN_HEADER = 40;
    private static final int OUT_HEADER = 16;
    private static final double BRACKET = 9; // from one to the next
    private static final int MOST_BESIDE = 4;

    static Chain of(Run run, RingState state, Flying flying) {
        String opcode = "";
        List<String> contents = new ArrayList<>();
        if (flying.queuedBy() >= 0 && run.event(flying.queuedBy()) instanceof TraceEvent.RequestQueued queued) {
            opcode = queued.opcode();
            if (queued.indirect()) {
                contents.add("table of " + queued.descriptors().size() + ": " + opcode);
            } else {
                contents.addAll(contents(queued));
            }
        }
        List<Integer> descriptors = state.isPacked() ? inARow(state, flying) : linked(state, flying.head());
        return new Chain(flying, opcode, descriptors, contents);
    }

    /// From the head along `next`; as many as there can be, for a ring may lead in circles.
    private static List<Integer> linked(RingState state, int head) {
        List<Integer> chain = new ArrayList<>();
        int index = head;
        while (index >= 0 && index < Math.max(1, state.size()) && chain.size() < state.size()) {
            chain.add(index);
            if ((state.descriptor(index, 12).value() & NEXT) == 0) {
                break;
            }
            index = (int) state.descriptor(index, 14).value();
        }
        return chain;
    }

    /// In a packed ring a chain lies in a row (virtio 1.3, 2.8.6).
    private static List<Integer> inARow(RingState state, Flying flying) {
        return IntStream.range(0, Math.min(flying.entries(), state.size()))
                .mapToObj(i -> Math.floorMod(flying.at() + i, state.size()))
                .toList();
    }

    private static List<String> contents(TraceEvent.RequestQueued queued) {
        List<String> contents = new ArrayList<>();
        boolean argumentIsDue = !Anatomy.argument(queued.opcode()).isEmpty();
        boolean answerIsDue = !Anatomy.answer(queued.opcode()).isEmpty();
        boolean reply = false;
        for (TraceEvent.Descriptor descriptor : queued.descriptors()) {
            if (!descriptor.writable()) {
                boolean header = contents.isEmpty() && descriptor.length() == IN_HEADER;
                contents.add(
                        header
                                ? "fuse_in_header"
                                : argumentIsDue ? Anatomy.argument(queued.opcode()) : "data " + descriptor.length());
                argumentIsDue &= header;
            } else {
                boolean header = !reply && descriptor.length() == OUT_HEADER;
                contents.add(
                        header
                                ? "fuse_out_header"
                                : answerIsDue ? Anatomy.answer(queued.opcode()) : "data " + descriptor.length());
                answerIsDue &= header;
                reply = true;
            }
        }
        return contents;
    }

    /// A bracket beside the table that binds the chain's rows together.
    ///
    /// @param rows which descriptor is in which row
    /// @param beside a row high, where the table's first row ends
    /// @param nth of the chains; their brackets lie beside each other
    /// @param all how many chains there are
    void bracket(List<Integer> rows, Box beside, int nth, int all, Painter painter) {
        double x = beside.x() + 8 + nth % MOST_BESIDE * BRACKET;
        double text = 8 + Math.min(all, MOST_BESIDE) * BRACKET;
        double top = Double.MAX_VALUE;
        double bottom = 0;
        Token token = flying.inDevice() ? Token.DAEMON : Token.GUEST_KERNEL;
        for (int i = 0; i < descriptors.size(); i++) {
            int row = rows.indexOf(descriptors.get(i));
            if (row < 0) {
                continue;
            }
            Box line = new Box(beside.x(), beside.y() + row * beside.height(), beside.width(), beside.height());
            double y = line.middleY() - 1;
            top = Math.min(top, y);
            bottom = Math.max(bottom, y);
            painter.line(beside.x() + 1, y, x, y, Pen.of(token, i == 0 ? 3 : 2));
            content(i, line.rightOf(text).top(line.height() - 2), painter);
        }
        if (bottom > 0) {
            painter.line(x, top, x, bottom, Pen.of(token, 2));
        }
    }

    private void content(int i, Box box, Painter painter) {
        String content = i < contents.size() ? contents.get(i) : "";
        Type type = i == 0 ? Look.SMALL.heavy() : Look.SMALL;
        String both = i == 0 && !content.contains(opcode) ? content + "  " + opcode : content;
        String text = painter.width(both, type) <= box.width() || i > 0 ? both : opcode;
        painter.part(
                new Part("chain-" + flying.head() + "-" + i, both + ", " + where(), box),
                () -> Lettering.in(box, text, type, Token.TEXT, painter));
    }

    private String where() {
        return flying.inDevice() ? "in the device" : "offered";
    }

    /// The chain in a line, where its descriptors are not known.
    void line(Box box, Painter painter) {
        String text = (opcode.isEmpty() ? "chain " : opcode + ", chain ") + flying.head() + ", " + where();
        Token token = flying.inDevice() ? Token.DAEMON : Token.GUEST_KERNEL;
        painter.part(new Part("chain-" + flying.head() + "-0", text + ".", box), () -> {
            painter.rect(box.left(4), Fill.of(token).edged(Token.OUTLINE, 0.5));
            Lettering.in(box.rightOf(12), text, Look.BODY, Token.TEXT, painter);
        });
    }
}
