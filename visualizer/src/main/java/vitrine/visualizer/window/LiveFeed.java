package vitrine.visualizer.window;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javafx.animation.KeyFrame;
import javafx.animation.Timeline;
import javafx.application.Platform;
import javafx.util.Duration;
import vitrine.trace.CaptureReader;
import vitrine.trace.Trace;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.timeline.Run;

/// What a daemon does now: the last events of its capture socket, as a run that is made anew some
/// times a second.
///
/// Reading never waits for the window, so the daemon loses nothing because somebody looks. Who
/// pauses keeps the run that they see; what happens meanwhile is there when they go on.
final class LiveFeed implements Trace {

    /// How much of the past is kept.
    static final int KEPT = 40_000;

    /// What the run is called.
    static final String NAME = "live";

    private static final Map<String, String> ABOUT = Map.of("scenario", NAME);
    private static final Duration REFRESH = Duration.millis(400);

    private final Deque<TraceEvent> recent = new ArrayDeque<>();
    private final Timeline clock = new Timeline();
    private final Consumer<Run> show;
    private long seen;
    private long shown;

    /// @param show is given the run so far, on the JavaFX thread
    LiveFeed(Consumer<Run> show) {
        this.show = show;
        clock.setCycleCount(Timeline.INDEFINITE);
        clock.getKeyFrames().setAll(new KeyFrame(REFRESH, _ -> refresh()));
    }

    /// Connects to a daemon's capture socket, and follows it until it closes.
    ///
    /// @param ended is told why there is no more, on the JavaFX thread
    void follow(Path socket, Consumer<String> ended) throws IOException {
        SocketChannel channel;
        try {
            channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            throw new IOException(
                    socket + ": " + e.getMessage() + "; is there a daemon with --capture-socket=" + socket + "?", e);
        }
        Thread.ofPlatform().daemon().name("live").start(() -> {
            String end = "the daemon has ended";
            try (channel;
                    InputStream in = new BufferedInputStream(Channels.newInputStream(channel))) {
                CaptureReader.follow(in, this);
            } catch (IOException e) {
                end = "nothing more comes: " + e.getMessage();
            }
            String sentence = end;
            Platform.runLater(() -> {
                refresh();
                clock.stop();
                ended.accept(sentence);
            });
        });
        clock.play();
    }

    @Override
    public synchronized void add(TraceEvent event) {
        if (recent.size() == KEPT) {
            recent.removeFirst();
        }
        recent.addLast(event);
        seen++;
    }

    private void refresh() {
        List<TraceEvent> events;
        synchronized (this) {
            if (seen == shown) {
                return;
            }
            shown = seen;
            events = List.copyOf(recent);
        }
        show.accept(Run.of(events, ABOUT));
    }
}
