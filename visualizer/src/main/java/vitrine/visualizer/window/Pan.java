package vitrine.visualizer.window;

import java.util.List;
import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.control.ScrollBar;
import javafx.scene.layout.Region;
import vitrine.visualizer.sheet.Subject;

/// Which corner of a picture is seen: letters may be so large that it does not fit, and then one
/// moves about in it.
final class Pan {

    private final ScrollBar across = new ScrollBar();
    private final ScrollBar down = new ScrollBar();

    /// @param moved is called when another corner is seen
    Pan(Runnable moved) {
        prepare(across, Orientation.HORIZONTAL, "Left and right", moved);
        prepare(down, Orientation.VERTICAL, "Up and down", moved);
    }

    private static void prepare(ScrollBar bar, Orientation orientation, String name, Runnable moved) {
        bar.setOrientation(orientation);
        bar.setAccessibleText(name);
        bar.setVisible(false);
        bar.valueProperty().addListener(_ -> moved.run());
    }

    /// For the pane to show.
    List<Node> bars() {
        return List.of(across, down);
    }

    /// How much of the picture is left of what is seen.
    double x() {
        return across.getValue();
    }

    /// How much of it is above.
    double y() {
        return down.getValue();
    }

    /// Shows a bar for each way in which the picture is larger than the pane.
    void fit(Subject subject, Region pane, double scale) {
        double thick = across.prefHeight(-1);
        fit(across, subject.width(), Math.floor(pane.getWidth()), scale, thick);
        fit(down, subject.height(), Math.floor(pane.getHeight()), scale, thick);
        double beside = down.isVisible() ? thick : 0;
        across.resizeRelocate(0, pane.getHeight() - thick, pane.getWidth() - beside, thick);
        down.resizeRelocate(pane.getWidth() - thick, 0, thick, pane.getHeight());
    }

    private static void fit(ScrollBar bar, double size, double seen, double scale, double thick) {
        double tooLarge = size - seen / scale;
        double most = tooLarge < 0.5 ? 0 : tooLarge + thick;
        bar.setVisible(most > 0);
        bar.setMax(most);
        bar.setVisibleAmount(most * seen / (most * scale + seen));
        bar.setValue(Math.clamp(bar.getValue(), 0, most));
    }

    /// Moves up or down; false if all of it is seen.
    boolean wheel(double by) {
        if (down.isVisible()) {
            down.setValue(Math.clamp(down.getValue() - by, 0, down.getMax()));
        }
        return down.isVisible();
    }
}
