package vitrine.visualizer.paint;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/// Which colour each [Token] is: the only place where a colour is written down.
///
/// The colours of the stages were computed, not chosen: as far apart as possible for normal sight
/// and for the three kinds of colour blindness at once. A test computes the distances again.
public enum Theme {
    /// Dark on light.
    LIGHT(1, """
            PAGE ffffff  PANEL f6f8fa  BAND f3f5f8  RULE d0d7de  TEXT 1f2328  MUTED 59636e  FAINT 818b98
            ACCENT 0969da  SELECTED 8250df  CHANGED bf3989  ERROR cf222e  OUTLINE 1f2328
            GUEST_PROGRAM 3448b9  GUEST_KERNEL ccb4ff  QUEUE 37dba2  DAEMON eaa530  HOST 8a1500  DAX 5c2f51
            """),
    /// Light on dark.
    DARK(1, """
            PAGE 0d1117  PANEL 151b23  BAND 12171e  RULE 3d444d  TEXT f0f6fc  MUTED 9198a1  FAINT 656c76
            ACCENT 4493f8  SELECTED bc8cff  CHANGED f778ba  ERROR ff7b72  OUTLINE 0d1117
            GUEST_PROGRAM 4c81ed  GUEST_KERNEL d3e0ff  QUEUE 5ef4a6  DAEMON ffcc4a  HOST c54e28  DAX 885878
            """),
    /// For the back row: dark on light, everything larger, no grey that a projector loses.
    LECTURE(1.8, """
            PAGE ffffff  PANEL f3f4f6  BAND f3f5f8  RULE afb8c1  TEXT 000000  MUTED 3d444d  FAINT 6e7781
            ACCENT 0550ae  SELECTED 6639ba  CHANGED 99286e  ERROR a40e26  OUTLINE 000000
            GUEST_PROGRAM 3448b9  GUEST_KERNEL ccb4ff  QUEUE 37dba2  DAEMON eaa530  HOST 8a1500  DAX 5c2f51
            """);

    private final double scale;
    private final Map<Token, Integer> colours = new EnumMap<>(Token.class);

    Theme(double scale, String table) {
        this.scale = scale;
        String[] words = table.strip().split("\\s+");
        for (int i = 0; i < words.length; i += 2) {
            colours.put(Token.valueOf(words[i]), Integer.parseInt(words[i + 1], 16));
        }
        colours.put(Token.WHITE, 0xffffff);
        colours.put(Token.BLACK, 0x000000);
    }

    /// The theme with this name, in any case.
    ///
    /// @throws IllegalArgumentException if there is none; the message lists them
    public static Theme named(String name) {
        return Arrays.stream(values())
                .filter(theme -> theme.lowerName().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no theme '" + name + "'; there are light, dark and lecture"));
    }

    /// The name as it is written in commands and links.
    public String lowerName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// How much larger everything is drawn.
    public double scale() {
        return scale;
    }

    /// The colour, `0xRRGGBB`.
    public int rgb(Token token) {
        return colours.get(token);
    }

    /// The colour as CSS and SVG write it.
    public String hex(Token token) {
        return String.format(Locale.ROOT, "#%06x", rgb(token));
    }

    /// The colour of a label on this fill: black or white, whichever can be read better.
    public Token labelOn(Token fill) {
        double onWhite = contrast(rgb(Token.WHITE), rgb(fill));
        double onBlack = contrast(rgb(Token.BLACK), rgb(fill));
        return onBlack >= onWhite ? Token.BLACK : Token.WHITE;
    }

    /// How well one colour can be read on another, 1 to 21 (WCAG 2.2, "contrast ratio").
    public static double contrast(int rgb, int otherRgb) {
        double one = luminance(rgb) + 0.05;
        double other = luminance(otherRgb) + 0.05;
        return Math.max(one, other) / Math.min(one, other);
    }

    private static double luminance(int rgb) {
        return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8) + 0.0722 * linear(rgb);
    }

    private static double linear(int channel) {
        double value = (channel & 0xff) / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }
}
