package vitrine.guest.experiment;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/// Results as a picture: for each row and each kind of figure, a bar for each setting.
///
/// The picture is a list of rectangles and texts, which become an SVG file or a PNG file.
final class Plot {

    private static final int WIDTH = 900;
    private static final int LEFT = 240;
    private static final int BAR_WIDTH = 480;
    private static final int LINE = 20;
    private static final int MARGIN = 24;
    private static final String[] COLOURS = {"#8a94a6", "#2f6fde", "#e08a2e", "#3a9d5d"};
    private static final String INK = "#1c2430";

    /// A rectangle, or a text whose line begins at a point.
    private record Shape(double x, double y, double width, String colour, String text, boolean bold) {}

    private final List<Shape> shapes = new ArrayList<>();
    private int y = MARGIN + LINE;

    /// Draws the experiments.
    static void write(Path file, List<String> titles, List<List<Row>> experiments) throws IOException {
        Plot plot = new Plot();
        for (int i = 0; i < titles.size(); i++) {
            plot.text(MARGIN, titles.get(i), true);
            plot.y += LINE;
            experiments.get(i).forEach(plot::add);
        }
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".png")) {
            plot.png(file);
        } else {
            Files.writeString(file, plot.svg());
        }
    }

    private void add(Row row) {
        text(MARGIN, row.name() + ", " + row.unit().text(), true);
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
            text(MARGIN + LINE, label + ", " + row.settings().get(i), false);
            shapes.add(new Shape(LEFT, y - 14, width, COLOURS[i % COLOURS.length], null, false));
            String gain = i == 0
                    ? ""
                    : String.format(Locale.ROOT, "  ×%.2f", row.unit().gain(values.getFirst(), values.get(i)));
            text(LEFT + width + 8, Table.number(values.get(i)) + gain, false);
            y += LINE;
        }
    }

    private void text(double x, String text, boolean bold) {
        shapes.add(new Shape(x, y, 0, INK, text, bold));
    }

    private int height() {
        return y + MARGIN;
    }

    private String svg() {
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH,
                height()));
        for (Shape shape : shapes) {
            svg.append(
                    shape.text == null
                            ? String.format(
                                    Locale.ROOT,
                                    "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.1f\" height=\"16\" fill=\"%s\"/>%n",
                                    shape.x,
                                    shape.y,
                                    shape.width,
                                    shape.colour)
                            : String.format(
                                    Locale.ROOT,
                                    "<text x=\"%.0f\" y=\"%.0f\" fill=\"%s\"%s>%s</text>%n",
                                    shape.x,
                                    shape.y,
                                    shape.colour,
                                    shape.bold ? " font-weight=\"bold\"" : "",
                                    shape.text.replace("&", "&amp;").replace("<", "&lt;")));
        }
        return svg.append("</svg>\n").toString();
    }

    private void png(Path file) throws IOException {
        BufferedImage image = new BufferedImage(WIDTH, height(), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, WIDTH, height());
        for (Shape shape : shapes) {
            graphics.setColor(Color.decode(shape.colour));
            if (shape.text == null) {
                graphics.fillRect((int) shape.x, (int) shape.y, (int) shape.width, 16);
            } else {
                graphics.setFont(new Font(Font.SANS_SERIF, shape.bold ? Font.BOLD : Font.PLAIN, 13));
                graphics.drawString(shape.text, (int) shape.x, (int) shape.y);
            }
        }
        graphics.dispose();
        if (!ImageIO.write(image, "png", file.toFile())) {
            throw new IOException(file + ": no PNG can be written");
        }
    }
}
