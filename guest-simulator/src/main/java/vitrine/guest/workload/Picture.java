package vitrine.guest.workload;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/// A picture of results: a list of bars, lines and texts, which becomes an SVG file or a PNG file.
public final class Picture {

    /// Colours that can be told apart, for one thing after the other.
    public static final List<String> COLOURS = List.of("#8a94a6", "#2f6fde", "#e08a2e", "#3a9d5d");

    private static final String INK = "#1c2430";
    private static final int LETTERS = 13; // pixels

    private final int width;
    private final List<Shape> shapes = new ArrayList<>();

    /// What is drawn, both ways.
    private interface Shape {
        String svg();

        void paint(Graphics2D graphics);
    }

    /// An empty one.
    public Picture(int width) {
        this.width = width;
    }

    /// Whether a file's name says that it is to be a picture.
    public static boolean isName(Path file) {
        return file.toString().matches("(?i).*\\.(svg|png)");
    }

    /// A rectangle.
    public void bar(Rectangle2D place, String colour) {
        shapes.add(new Bar(place, colour));
    }

    /// A line, as wide as a pixel or two.
    public void line(Line2D place, String colour, double wide) {
        shapes.add(new Stroke(place, colour, wide));
    }

    /// A text whose line begins at a point.
    public void text(double x, double y, String text) {
        shapes.add(new Text(x, y, text, false));
    }

    /// The same in bold letters.
    public void heading(double x, double y, String text) {
        shapes.add(new Text(x, y, text, true));
    }

    /// Writes it.
    ///
    /// @param file its name ends in `.svg` or `.png`
    /// @throws IOException if it cannot be written
    public void write(Path file, int height) throws IOException {
        if (file.toString().toLowerCase(Locale.ROOT).endsWith(".png")) {
            png(file, height);
        } else {
            Files.writeString(file, svg(height));
        }
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private String svg(int height) {
        StringBuilder svg = new StringBuilder(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"%d\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                width, height, LETTERS));
        shapes.forEach(shape -> svg.append(shape.svg()).append('\n'));
        return svg.append("</svg>\n").toString();
    }

    private void png(Path file, int height) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        shapes.forEach(shape -> shape.paint(graphics));
        graphics.dispose();
        if (!ImageIO.write(image, "png", file.toFile())) {
            throw new IOException(file + ": no PNG can be written");
        }
    }

    private record Bar(Rectangle2D place, String colour) implements Shape {

        @Override
        public String svg() {
            return format(
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                    place.getX(), place.getY(), place.getWidth(), place.getHeight(), colour);
        }

        @Override
        public void paint(Graphics2D graphics) {
            graphics.setColor(Color.decode(colour));
            graphics.fill(place);
        }
    }

    private record Stroke(Line2D place, String colour, double wide) implements Shape {

        @Override
        public String svg() {
            return format(
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>",
                    place.getX1(), place.getY1(), place.getX2(), place.getY2(), colour, wide);
        }

        @Override
        public void paint(Graphics2D graphics) {
            graphics.setColor(Color.decode(colour));
            graphics.setStroke(new BasicStroke((float) wide));
            graphics.draw(place);
        }
    }

    private record Text(double x, double y, String text, boolean bold) implements Shape {

        @Override
        public String svg() {
            return format(
                    "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\"%s>%s</text>",
                    x,
                    y,
                    INK,
                    bold ? " font-weight=\"bold\"" : "",
                    text.replace("&", "&amp;").replace("<", "&lt;"));
        }

        @Override
        public void paint(Graphics2D graphics) {
            graphics.setColor(Color.decode(INK));
            graphics.setFont(new Font(Font.SANS_SERIF, bold ? Font.BOLD : Font.PLAIN, LETTERS));
            graphics.drawString(text, (float) x, (float) y);
        }
    }
}
