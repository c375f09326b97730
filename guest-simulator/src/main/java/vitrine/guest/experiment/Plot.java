package vitrine.guest.experiment;

import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import vitrine.guest.workload.Picture;

/// Results as a picture: for each row and each kind of figure, a bar for each setting.
final class Plot {

    private static final int WIDTH = 900;
    private static final int LEFT = 240;
    private static final int BAR_WIDTH = 480;
    private static final int BAR_HEIGHT = 16;
    private static final int LINE = 20;
    private static final int MARGIN = 24;

    private final Picture picture = new Picture(WIDTH);
    private int y = MARGIN + LINE;

    /// Draws the experiments.
    static void write(Path file, List<String> titles, List<List<Row>> experiments) throws IOException {
        Plot plot = new Plot();
        for (int i = 0; i < titles.size(); i++) {
            plot.picture.heading(MARGIN, plot.y, titles.get(i));
            plot.y += LINE;
            experiments.get(i).forEach(plot::add);
        }
        plot.picture.write(file, plot.y + MARGIN);
    }

    private void add(Row row) {
        picture.heading(MARGIN, y, row.name() + ", " + row.unit().text());
        y += LINE;
        List<Double> measured = row.measured().stream().map(Row.Range::median).toList();
        double most = 0;
        for (List<Double> kind : List.of(row.reported(), row.model(), measured)) {
            most = Math.max(
                    most, kind.stream().mapToDouble(value -> value).max().orElse(0));
        }
        bars("reported", row, row.reported(), most);
        bars("model", row, row.model(), most);
        bars("measured", row, measured, most);
        y += LINE / 2;
    }

    private void bars(String label, Row row, List<Double> values, double most) {
        for (int i = 0; i < values.size(); i++) {
            double width = Math.max(1, BAR_WIDTH * values.get(i) / most);
            picture.text(MARGIN + LINE, y, label + ", " + row.settings().get(i));
            String colour = Picture.COLOURS.get(i % Picture.COLOURS.size());
            picture.bar(new Rectangle2D.Double(LEFT, y - 14, width, BAR_HEIGHT), colour);
            String gain = i == 0
                    ? ""
                    : String.format(Locale.ROOT, "  ×%.2f", row.unit().gain(values.getFirst(), values.get(i)));
            picture.text(LEFT + width + 8, y, Table.number(values.get(i)) + gain);
            y += LINE;
        }
    }
}
