package vitrine.conformance.window;

import java.io.File;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javax.imageio.ImageIO;
import vitrine.visualizer.paint.Theme;

class Shots {
    public static void main(String[] a) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> { e.printStackTrace(); System.exit(1); });
        long t = System.nanoTime();
        Screen.on();
        for (int i = 0; i + 4 < a.length; i += 5) {
            Theme theme = Theme.named(a[i + 1]);
            Scene scene = Screen.scene(
                    theme == Theme.LECTURE ? Theme.LIGHT : theme,
                    a[i],
                    Double.parseDouble(a[i + 2]),
                    Double.parseDouble(a[i + 3]));
            if (!a[i].isEmpty())
                Screen.until(
                        "run", () -> ((Label) scene.lookup("#status")).getText().length() > 3);
            else Thread.sleep(1500);
            if (theme == Theme.LECTURE)
                Screen.does(() -> {
                    ((javafx.scene.control.Button) scene.lookup("#lecture")).fire();
                    return null;
                });
            ImageIO.write(Screen.picture(scene), "png", new File(a[i + 4]));
            System.out.println(a[i + 4] + " " + (System.nanoTime() - t) / 1000000 + " ms");
        }
        System.exit(0);
    }
}
