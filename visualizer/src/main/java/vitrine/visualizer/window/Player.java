package vitrine.visualizer.window;

import java.util.function.IntPredicate;
import javafx.animation.KeyFrame;
import javafx.animation.Timeline;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.util.Duration;

/// Steps on by itself, until the end or a breakpoint.
final class Player {

    /// Steps a second, from slowest to fastest.
    static final double[] SPEEDS = {0.2, 0.5, 1, 2, 5, 10, 25, 50};

    private static final int USUAL = 3;

    private final Desk desk;
    private final Timeline clock = new Timeline();
    private final ReadOnlyBooleanWrapper playing = new ReadOnlyBooleanWrapper();
    private IntPredicate stopsAt = _ -> false;
    private int speed = USUAL;
    private Runnable live; // what to do when the reader goes on; null for a run that has ended

    Player(Desk desk) {
        this.desk = desk;
        clock.setCycleCount(Timeline.INDEFINITE);
        speed(USUAL);
    }

    ReadOnlyBooleanProperty playing() {
        return playing.getReadOnlyProperty();
    }

    int speed() {
        return speed;
    }

    /// @param index into [#SPEEDS]; the nearest, if there is none of that number
    void speed(int index) {
        speed = Math.clamp(index, 0, SPEEDS.length - 1);
        clock.getKeyFrames().setAll(new KeyFrame(Duration.seconds(1 / SPEEDS[speed]), _ -> tick()));
        if (playing.get()) {
            clock.playFromStart();
        }
    }

    /// Which events stop it.
    void stopAt(IntPredicate event) {
        stopsAt = event;
    }

    /// From now on the run grows by itself: to play is to follow it.
    ///
    /// @param goOn shows what there is, when the reader goes on
    void follow(Runnable goOn) {
        live = goOn;
        playing.set(true);
    }

    /// The run is one that has ended.
    void followNoMore() {
        live = null;
        pause();
    }

    void toggle() {
        if (playing.get()) {
            pause();
        } else if (live != null) {
            playing.set(true);
            live.run();
        } else if (!desk.isAtEnd()) {
            playing.set(true);
            desk.go(desk.next()); // the one step that undo takes back
            clock.playFromStart();
        }
    }

    void pause() {
        playing.set(false);
        clock.stop();
    }

    private void tick() {
        desk.glide(desk.place().with(desk.session().at(desk.next())));
        if (desk.isAtEnd() || stopsAt.test(desk.session().position() - 1)) {
            pause();
        }
    }
}
