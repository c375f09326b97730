package vitrine.conformance.window;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.scene.image.PixelFormat;
import javafx.scene.image.PixelReader;
import javafx.scene.image.WritableImage;
import vitrine.conformance.rules.Needs;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.window.Viewer;

/// A screen that nobody sees: JavaFX's headless platform, started once.
final class Screen {

    private static final int PATIENCE_IN_SECONDS = 60;

    private static Throwable reason;
    private static boolean started;

    private Screen() {}

    /// Starts JavaFX, or skips the test where it cannot be started.
    static synchronized void on() throws InterruptedException, IOException {
        if (!started) {
            started = true;
            Path state = Files.createTempDirectory("vitrine-state");
            state.toFile().deleteOnExit();
            System.setProperty("vitrine.state", state.toString()); // not the home of whoever runs the tests
            CountDownLatch ready = new CountDownLatch(1);
            try {
                Platform.startup(ready::countDown);
                Platform.setImplicitExit(false);
                if (!ready.await(PATIENCE_IN_SECONDS, TimeUnit.SECONDS)) {
                    reason = new IllegalStateException("it does not answer");
                }
            } catch (RuntimeException | UnsatisfiedLinkError | NoClassDefFoundError e) {
                reason = e;
            }
        }
        Needs.that(reason == null, "JavaFX cannot be started here: " + reason);
    }

    /// Does something on the JavaFX thread, and waits until it is done.
    static <T> T does(Callable<T> deed) throws Exception {
        FutureTask<T> task = new FutureTask<>(deed);
        Platform.runLater(task);
        return task.get(PATIENCE_IN_SECONDS, TimeUnit.SECONDS);
    }

    /// Waits until something is so, asked on the JavaFX thread.
    static void until(String what, BooleanSupplier isSo) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_IN_SECONDS);
        while (!does(isSo::getAsBoolean)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("never came: " + what);
            }
            Thread.sleep(10);
        }
    }

    /// A window's content in a scene without a stage.
    static Scene scene(Theme theme, String link, double width, double height) throws Exception {
        return does(() -> new Scene(Viewer.content(theme, link), width, height));
    }

    /// What a scene looks like.
    static BufferedImage picture(Scene scene) throws Exception {
        return does(() -> {
            scene.snapshot(null); // the first one lays out, and views draw while they are laid out
            WritableImage image = scene.snapshot(null);
            int width = (int) image.getWidth();
            int height = (int) image.getHeight();
            BufferedImage copy = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
            PixelReader pixels = image.getPixelReader();
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    copy.setRGB(x, y, pixels.getArgb(x, y));
                }
            }
            return copy;
        });
    }

    /// The pixels of a part of a scene.
    static int[] pixels(Scene scene, String id) throws Exception {
        return does(() -> {
            scene.getRoot().layout();
            WritableImage image = scene.lookup(id).snapshot(null, null);
            int width = (int) image.getWidth();
            int height = (int) image.getHeight();
            int[] pixels = new int[width * height];
            image.getPixelReader().getPixels(0, 0, width, height, PixelFormat.getIntArgbInstance(), pixels, 0, width);
            return pixels;
        });
    }
}
