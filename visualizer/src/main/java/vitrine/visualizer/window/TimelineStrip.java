package vitrine.visualizer.window;

import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session.Zoom;
import vitrine.visualizer.view.TimelineView;

/// The time line: whoever drags along it goes through time, whoever turns the wheel comes closer.
final class TimelineStrip extends ViewPane {

    private static final double WHEEL = 0.8;
    private static final double STEP = 0.15;

    private final Desk desk;

    TimelineStrip(Desk desk, TimelineView view) {
        super(desk, "timeline", () -> view);
        this.desk = desk;
        addEventHandler(MouseEvent.MOUSE_DRAGGED, event -> to(event.getX(), event.getY()));
        addEventHandler(MouseEvent.MOUSE_PRESSED, event -> to(event.getX(), event.getY()));
        setOnScroll(this::scroll);
    }

    /// To the moment under the mouse; the way there is no way back that anybody wants.
    private void to(double x, double y) {
        if (desk.run().isPresent()
                && inPicture(x, y).getY() < TimelineView.strips(subject()).bottom()) {
            long nanos = TimelineView.timeAt(subject(), inPicture(x, y).getX());
            int position = positionAt(desk.run().get(), nanos);
            desk.glide(desk.place().with(desk.session().at(position)));
        }
    }

    /// How many events have happened by then.
    private static int positionAt(Run run, long nanos) {
        int low = 0;
        int high = run.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (run.nanos(middle) <= nanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void scroll(ScrollEvent event) {
        desk.run().ifPresent(run -> {
            Zoom shown = desk.session().zoom().within(run);
            double span = (double) shown.to() - shown.from();
            double turned = event.getDeltaY() != 0 ? event.getDeltaY() : event.getDeltaX();
            if (event.isShiftDown() || event.getDeltaY() == 0) {
                double shift = -Math.signum(turned) * STEP * span;
                zoom(new Zoom((long) (shown.from() + shift), (long) (shown.to() + shift)));
                return;
            }
            double factor = turned > 0 ? WHEEL : 1 / WHEEL;
            double here =
                    TimelineView.timeAt(subject(), inPicture(event.getX(), 0).getX());
            double from = here - (here - shown.from()) * factor;
            zoom(new Zoom((long) from, (long) (from + span * factor)));
        });
    }

    private void zoom(Zoom zoom) {
        desk.glide(desk.place().with(desk.session().zoom(zoom)));
    }
}
