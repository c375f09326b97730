package vitrine.visualizer.paint;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// Draws a picture as SVG text, a verb a line: small, searchable, and its difference to another one
/// can be read.
///
/// Each text says how wide it is (`textLength`), so that it stays in its cell where the bundled
/// fonts are not installed.
public final class SvgPainter implements Painter {

    private final double width;
    private final double height;
    private final double scale;
    private final Theme theme;
    private final StringBuilder body = new StringBuilder();
    private final Set<Token> hatched = EnumSet.noneOf(Token.class);
    private int depth = 1;

    /// A picture of this size.
    ///
    /// @param scale how much larger than the view thinks
    public SvgPainter(double width, double height, double scale, Theme theme) {
        this.width = width;
        this.height = height;
        this.scale = scale;
        this.theme = theme;
    }

    /// The picture so far.
    public String svg() {
        StringBuilder svg = new StringBuilder();
        svg.append(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">%n",
                width * scale, height * scale, width, height));
        svg.append("  <style>text{white-space:pre}")
                .append(".s{font-family:'Source Sans Pro','Source Sans 3','Segoe UI','Helvetica Neue',sans-serif}")
                .append(".m{font-family:'JetBrains Mono',Consolas,'DejaVu Sans Mono',monospace}</style>\n");
        for (Token token : hatched) {
            svg.append(format(
                    "  <pattern id=\"hatch-%s\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
                            + " patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" stroke=\"%s\""
                            + " stroke-width=\"2\"/></pattern>%n",
                    token.name().toLowerCase(Locale.ROOT), theme.hex(token)));
        }
        svg.append(format("  <rect width=\"%s\" height=\"%s\" fill=\"%s\"/>%n", width, height, theme.hex(Token.PAGE)));
        return svg.append(body).append("</svg>\n").toString();
    }

    @Override
    public void rect(Box box, Fill fill) {
        String edge = fill.edge() == null
                ? ""
                : format(" stroke=\"%s\" stroke-width=\"%s\"", theme.hex(fill.edge()), fill.edgeWidth())
                        + (fill.dashed() ? " stroke-dasharray=\"4 3\"" : "");
        String corner = fill.radius() == 0 ? "" : format(" rx=\"%s\"", fill.radius());
        add(
                "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"%s fill=\"%s\"%s/>",
                box.x(), box.y(), box.width(), box.height(), corner, colour(fill.body()), edge);
    }

    private String colour(Token token) {
        return token == null ? "none" : theme.hex(token);
    }

    @Override
    public void hatch(Box box, Token token) {
        hatched.add(token);
        String id = "url(#hatch-" + token.name().toLowerCase(Locale.ROOT) + ")";
        add(
                "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"/>",
                box.x(), box.y(), box.width(), box.height(), id);
    }

    @Override
    public void line(double fromX, double fromY, double toX, double toY, Pen pen) {
        add(
                "<path d=\"M%s %sL%s %s\" stroke=\"%s\" stroke-width=\"%s\"%s/>",
                fromX,
                fromY,
                toX,
                toY,
                theme.hex(pen.token()),
                pen.width(),
                pen.dashed() ? " stroke-dasharray=\"4 3\"" : "");
    }

    @Override
    public void arrowHead(double x, double y, double degrees, double size, Token token) {
        double half = size * 0.45;
        add(
                "<path d=\"M0 0L%s %sL%s %sZ\" fill=\"%s\" transform=\"translate(%s %s) rotate(%s)\"/>",
                -size, -half, -size, half, theme.hex(token), x, y, degrees);
    }

    @Override
    public void text(String text, double x, double y, Type type, Token token) {
        double wide = width(text, type);
        add(
                "<text class=\"%s\" x=\"%s\" y=\"%s\" font-size=\"%s\"%s fill=\"%s\" textLength=\"%s\""
                        + " lengthAdjust=\"spacingAndGlyphs\">%s</text>",
                type.mono() ? "m" : "s",
                type.start(x, wide),
                y,
                type.size(),
                type.bold() ? " font-weight=\"600\"" : "",
                theme.hex(token),
                wide,
                escaped(text));
    }

    @Override
    public void part(Part part, Runnable content) {
        add("<g id=\"%s\"><title>%s</title>", escaped(part.id()), escaped(part.says()));
        depth++;
        content.run();
        depth--;
        add("</g>");
    }

    private void add(String pattern, Object... values) {
        body.append("  ".repeat(depth)).append(format(pattern, values)).append('\n');
    }

    /// Numbers with two digits after the point at most: the same on every machine.
    private static String format(String pattern, Object... values) {
        Object[] shown = values.clone();
        for (int i = 0; i < shown.length; i++) {
            if (shown[i] instanceof Number number) {
                double rounded = Math.round(number.doubleValue() * 100) / 100.0 + 0.0; // no -0
                shown[i] = rounded == Math.rint(rounded) ? String.valueOf((long) rounded) : String.valueOf(rounded);
            }
        }
        return String.format(Locale.ROOT, pattern, shown);
    }

    private static String escaped(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().forEach(character -> {
            switch (character) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                default -> safe.appendCodePoint(isXml(character) ? character : 0xfffd);
            }
        });
        return safe.toString();
    }

    /// What may stand in an XML document at all (XML 1.0, 2.2): names of files are any bytes.
    private static boolean isXml(int character) {
        return character >= 0x20 && character <= 0xd7ff
                || character == '\t'
                || character >= 0xe000 && character <= 0xfffd
                || character >= 0x10000;
    }
}
