package vitrine.visualizer.view;

import java.util.Arrays;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Lettering;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.sheet.Ink;
import vitrine.visualizer.sheet.Look;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Pyramid.Many;
import vitrine.visualizer.timeline.Pyramid.Sight;
import vitrine.visualizer.timeline.Pyramid.Visitor;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session.Zoom;
import vitrine.visualizer.timeline.Spans;
import vitrine.visualizer.timeline.Story;

/// One strip of a [TimelineView].
///
/// Spans too narrow to be seen are merged, column by column: a run of columns in which something
/// went on is one rectangle, coloured by the rarest thing in it: an error, else what the filter
/// looks for.
record Strip(Subject subject, Spans spans, Token token, Box box, TimelineView.Scale scale) {

    private static final int MOST_COLUMNS = 600; // so that the strokes of all rows stay within the budget
    private static final double LABELLED = 24;
    private static final double CLICKABLE = 6;

    /// What a merged column holds, the rarest last.
    private enum Content {
        NOTHING,
        FILTERED_OUT,
        SOMETHING,
        FAILED
    }

    /// The columns of one row that are being merged.
    private static final class Merging {
        final int row;
        int from = -1;
        int to = -1;
        Content content = Content.NOTHING;

        Merging(int row) {
            this.row = row;
        }
    }

    void paint(Painter painter) {
        double column = Math.max(2, box.width() / MOST_COLUMNS);
        Merging[] rows = new Merging[spans.rowCount()];
        Arrays.setAll(rows, Merging::new);
        Zoom zoom = scale.zoom();
        long narrow = (long) (((double) zoom.to() - zoom.from()) / box.width() * column);
        Sight sight =
                new Sight(zoom.from(), zoom.to(), narrow, subject.matching().orElse(null));
        spans.look(sight, new Visitor() {
            @Override
            public void one(int i) {
                double from = Math.max(box.x(), scale.x(spans.begin(i)));
                double to = Math.min(box.right(), scale.x(spans.end(i)));
                Merging merging = rows[spans.row(i)];
                if (to - from >= column) {
                    flush(merging, column, painter);
                    single(i, new Box(from, top(merging.row), to - from, rowHeight()), painter);
                } else {
                    merge(merging, content(i), from, column, painter);
                }
            }

            @Override
            public void many(Many many) {
                double from = Math.max(box.x(), scale.x(many.begin()));
                for (Merging merging : rows) {
                    if ((many.rows() >> merging.row & 1) != 0) {
                        merge(merging, content(many, merging.row), from, column, painter);
                    }
                }
            }
        });
        for (Merging merging : rows) {
            flush(merging, column, painter);
        }
    }

    private double rowHeight() {
        double gap = spans.rowCount() > 1 ? 1 : 0;
        return Math.max(1, box.height() / spans.rowCount() - gap);
    }

    private double top(int row) {
        return box.y() + row * box.height() / spans.rowCount();
    }

    private Content content(int i) {
        if (spans.failed(i)) {
            return Content.FAILED;
        }
        return subject.matches(spans.event(i)) ? Content.SOMETHING : Content.FILTERED_OUT;
    }

    private static Content content(Many many, int row) {
        if ((many.failed() >> row & 1) != 0) {
            return Content.FAILED;
        }
        return (many.matching() >> row & 1) != 0 ? Content.SOMETHING : Content.FILTERED_OUT;
    }

    private void merge(Merging merging, Content content, double from, double column, Painter painter) {
        int at = (int) ((from - box.x()) / column);
        if (at == merging.to) { // the same column: the rarest counts
            if (content.compareTo(merging.content) > 0) {
                if (merging.from < merging.to) {
                    merging.to--;
                    flush(merging, column, painter);
                }
                merging.from = at;
                merging.to = at;
                merging.content = content;
            }
            return;
        }
        if (at == merging.to + 1 && content == merging.content) {
            merging.to = at;
            return;
        }
        flush(merging, column, painter);
        merging.from = at;
        merging.to = at;
        merging.content = content;
    }

    private void flush(Merging merging, double column, Painter painter) {
        if (merging.from >= 0 && merging.content != Content.NOTHING) {
            double x = box.x() + merging.from * column;
            double width = Math.min((merging.to - merging.from + 1) * column, box.right() - x);
            painter.rect(new Box(x, top(merging.row), width, rowHeight()), Fill.of(colour(merging.content)));
        }
        merging.from = -1;
        merging.to = -1;
        merging.content = Content.NOTHING;
    }

    private Token colour(Content content) {
        return switch (content) {
            case NOTHING, FILTERED_OUT -> Token.RULE;
            case SOMETHING -> token;
            case FAILED -> Token.ERROR;
        };
    }

    private void single(int i, Box at, Painter painter) {
        Content content = content(i);
        boolean filtered = content == Content.FILTERED_OUT;
        Fill fill = Fill.of(filtered ? Token.RULE : token);
        Runnable drawing = () -> {
            painter.rect(at, at.width() >= 4 ? fill.edged(Token.OUTLINE, 1) : fill);
            if (content == Content.FAILED) {
                painter.rect(at.below(at.height() - 4), Fill.of(Token.ERROR));
            }
            if (isSelected(i)) {
                painter.rect(at.inset(1.5), Fill.edge(Token.SELECTED).edged(Token.SELECTED, 3));
            }
            if (at.width() >= LABELLED && at.height() >= 12) {
                label(i, at.inset(3, 0), filtered ? Token.TEXT : Ink.on(token), painter);
            }
        };
        if (at.width() >= CLICKABLE) {
            painter.part(new Part("event-" + spans.event(i), says(i), at), drawing);
        } else {
            drawing.run();
        }
    }

    /// The whole name or nothing: half of one is none.
    private void label(int i, Box at, Token ink, Painter painter) {
        String label = label(i);
        if (painter.width(label, Look.SMALL) <= at.width()) {
            Lettering.in(at, label, Look.SMALL.centred(), ink, painter);
        }
    }

    private boolean isSelected(int i) {
        return subject.session().story(subject.run()).isPresent()
                && !subject.session().selection().isEmpty()
                && subject.session()
                        .story(subject.run())
                        .equals(subject.run().stories().of(spans.event(i)));
    }

    /// The name of the system call, or of the request.
    private String label(int i) {
        Run run = subject.run();
        int event = spans.event(i);
        if (run.kind(event) == Kind.HOST_CALL || token == Token.GUEST_PROGRAM) {
            return run.name(event);
        }
        return run.stories().of(event).map(Story::opcode).orElse("");
    }

    private String says(int i) {
        TraceEvent event = subject.run().event(spans.event(i));
        return label(i) + ", " + Wording.time(spans.end(i) - spans.begin(i)) + ". " + Wording.sentence(event);
    }
}
