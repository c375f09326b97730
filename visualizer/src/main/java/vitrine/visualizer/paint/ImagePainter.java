package vitrine.visualizer.paint;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontFormatException;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.TexturePaint;
import java.awt.geom.AffineTransform;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.geom.RoundRectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/// Draws a picture into memory, with the bundled fonts; needs no screen.
public final class ImagePainter implements Painter {

    private static final int HATCH = 6;

    private final BufferedImage image;
    private final Graphics2D graphics;
    private final Theme theme;
    private final Map<Typeface, Font> fonts = new HashMap<>();

    /// A picture of this size.
    ///
    /// @param scale how much larger than the view thinks
    public ImagePainter(double width, double height, double scale, Theme theme) {
        this.theme = theme;
        image = new BufferedImage(
                (int) Math.round(width * scale), (int) Math.round(height * scale), BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.setColor(colour(Token.PAGE));
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.scale(scale, scale);
    }

    /// The picture.
    public BufferedImage image() {
        return image;
    }

    private Color colour(Token token) {
        return new Color(theme.rgb(token));
    }

    @Override
    public void rect(Box box, Fill fill) {
        double arc = 2 * fill.radius();
        var shape = new RoundRectangle2D.Double(box.x(), box.y(), box.width(), box.height(), arc, arc);
        if (fill.body() != null) {
            graphics.setColor(colour(fill.body()));
            graphics.fill(shape);
        }
        if (fill.edge() != null) {
            graphics.setColor(colour(fill.edge()));
            graphics.setStroke(stroke(fill.edgeWidth(), fill.dashed()));
            graphics.draw(shape);
        }
    }

    private static BasicStroke stroke(double width, boolean dashed) {
        return new BasicStroke(
                (float) width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, dashed ? new float[] {4, 3} : null, 0);
    }

    @Override
    public void hatch(Box box, Token token) {
        BufferedImage tile = new BufferedImage(4 * HATCH, 4 * HATCH, BufferedImage.TYPE_INT_ARGB);
        Graphics2D pen = tile.createGraphics();
        pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        pen.setColor(colour(token));
        pen.setStroke(new BasicStroke(5));
        for (int shift = -1; shift <= 1; shift++) {
            int x = shift * 4 * HATCH;
            pen.drawLine(x - HATCH, 5 * HATCH, x + 5 * HATCH, -HATCH);
        }
        pen.dispose();
        graphics.setPaint(new TexturePaint(tile, new Rectangle2D.Double(0, 0, HATCH * 1.4, HATCH * 1.4)));
        graphics.fill(new Rectangle2D.Double(box.x(), box.y(), box.width(), box.height()));
    }

    @Override
    public void line(double fromX, double fromY, double toX, double toY, Pen pen) {
        graphics.setColor(colour(pen.token()));
        graphics.setStroke(stroke(pen.width(), pen.dashed()));
        graphics.draw(new Line2D.Double(fromX, fromY, toX, toY));
    }

    @Override
    public void arrowHead(double x, double y, double degrees, double size, Token token) {
        Path2D head = new Path2D.Double();
        head.moveTo(0, 0);
        head.lineTo(-size, -size * 0.45);
        head.lineTo(-size, size * 0.45);
        head.closePath();
        AffineTransform place = AffineTransform.getTranslateInstance(x, y);
        place.rotate(Math.toRadians(degrees));
        graphics.setColor(colour(token));
        graphics.fill(place.createTransformedShape(head));
    }

    @Override
    public void text(String text, double x, double y, Type type, Token token) {
        graphics.setColor(colour(token));
        graphics.setFont(
                fonts.computeIfAbsent(Typeface.of(type), ImagePainter::load).deriveFont((float) type.size()));
        graphics.drawString(text, (float) type.start(x, width(text, type)), (float) y);
    }

    private static Font load(Typeface face) {
        try {
            return Font.createFont(Font.TRUETYPE_FONT, new ByteArrayInputStream(face.openType()));
        } catch (FontFormatException | IOException e) {
            throw new IllegalStateException("the bundled font " + face.family() + " cannot be used", e);
        }
    }

    @Override
    public void part(Part part, Runnable content) {
        content.run();
    }
}
