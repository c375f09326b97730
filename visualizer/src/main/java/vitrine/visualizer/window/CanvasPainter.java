package vitrine.visualizer.window;

import javafx.geometry.VPos;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.paint.Color;
import javafx.scene.paint.CycleMethod;
import javafx.scene.paint.LinearGradient;
import javafx.scene.paint.Stop;
import javafx.scene.text.TextAlignment;
import vitrine.visualizer.paint.Box;
import vitrine.visualizer.paint.Fill;
import vitrine.visualizer.paint.Painter;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.Pen;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.paint.Token;
import vitrine.visualizer.paint.Type;

/// Draws on a canvas of the window.
final class CanvasPainter implements Painter {

    private static final double[] DASHES = {4, 3};
    private static final double HATCH = 6;
    private static final double VEIL = 0.72;

    private final GraphicsContext graphics;
    private final Theme theme;

    /// @param scale how much larger than the view thinks
    CanvasPainter(GraphicsContext graphics, Theme theme, double scale) {
        this.graphics = graphics;
        this.theme = theme;
        double width = graphics.getCanvas().getWidth();
        double height = graphics.getCanvas().getHeight();
        graphics.setTransform(1, 0, 0, 1, 0, 0);
        graphics.setFill(colour(Token.PAGE));
        graphics.fillRect(0, 0, width, height);
        graphics.scale(scale, scale);
        graphics.setTextBaseline(VPos.BASELINE);
        graphics.setTextAlign(TextAlignment.LEFT);
    }

    /// Moves all that is drawn from now on.
    void move(double right, double down) {
        graphics.translate(right, down);
    }

    /// Says that the keyboard speaks to this place.
    void focus(Box whole) {
        rect(whole.inset(1), Fill.edge(Token.ACCENT).edged(Token.ACCENT, 2));
    }

    /// Takes the light from everything but one part.
    void spotlight(Box lit, Box whole) {
        graphics.setFill(Color.color(
                colour(Token.PAGE).getRed(),
                colour(Token.PAGE).getGreen(),
                colour(Token.PAGE).getBlue(),
                VEIL));
        double top = Math.max(whole.y(), lit.y());
        double bottom = Math.min(whole.bottom(), lit.bottom());
        graphics.fillRect(whole.x(), whole.y(), whole.width(), top - whole.y());
        graphics.fillRect(whole.x(), bottom, whole.width(), whole.bottom() - bottom);
        graphics.fillRect(whole.x(), top, lit.x() - whole.x(), bottom - top);
        graphics.fillRect(lit.right(), top, whole.right() - lit.right(), bottom - top);
    }

    private Color colour(Token token) {
        int rgb = theme.rgb(token);
        return Color.rgb(rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff);
    }

    @Override
    public void rect(Box box, Fill fill) {
        double arc = 2 * fill.radius();
        if (fill.body() != null) {
            graphics.setFill(colour(fill.body()));
            graphics.fillRoundRect(box.x(), box.y(), box.width(), box.height(), arc, arc);
        }
        if (fill.edge() != null) {
            stroke(fill.edge(), fill.edgeWidth(), fill.dashed());
            graphics.strokeRoundRect(box.x(), box.y(), box.width(), box.height(), arc, arc);
        }
    }

    private void stroke(Token token, double width, boolean dashed) {
        graphics.setStroke(colour(token));
        graphics.setLineWidth(width);
        graphics.setLineDashes(dashed ? DASHES : null);
    }

    @Override
    public void hatch(Box box, Token token) {
        Color ink = colour(token);
        Color none = Color.TRANSPARENT;
        graphics.setFill(new LinearGradient(
                0,
                0,
                HATCH,
                HATCH,
                false,
                CycleMethod.REPEAT,
                new Stop(0, ink),
                new Stop(0.3, ink),
                new Stop(0.3, none),
                new Stop(1, none)));
        graphics.fillRect(box.x(), box.y(), box.width(), box.height());
    }

    @Override
    public void line(double fromX, double fromY, double toX, double toY, Pen pen) {
        stroke(pen.token(), pen.width(), pen.dashed());
        graphics.strokeLine(fromX, fromY, toX, toY);
    }

    @Override
    public void arrowHead(double x, double y, double degrees, double size, Token token) {
        double angle = Math.toRadians(degrees);
        double backX = x - size * Math.cos(angle);
        double backY = y - size * Math.sin(angle);
        double sideX = size * 0.45 * Math.sin(angle);
        double sideY = size * 0.45 * Math.cos(angle);
        graphics.setFill(colour(token));
        graphics.fillPolygon(
                new double[] {x, backX + sideX, backX - sideX}, new double[] {y, backY - sideY, backY + sideY}, 3);
    }

    @Override
    public void text(String text, double x, double y, Type type, Token token) {
        graphics.setFill(colour(token));
        graphics.setFont(Fonts.of(type));
        graphics.fillText(text, type.start(x, width(text, type)), y);
    }

    @Override
    public void part(Part part, Runnable content) {
        content.run();
    }
}
