package vitrine.visualizer.paint;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/// One of the bundled fonts, as far as one must know it to measure text.
///
/// The widths are read from the font's own tables (OpenType: `cmap`, `hmtx`), so that a picture
/// does not depend on the fonts of the machine that draws it.
public final class Typeface {

    private static final Map<String, Typeface> LOADED = new HashMap<>();
    private static final int PRINTABLE = 0x20;

    private final byte[] sfnt;
    private final double unitsPerEm;
    private final double[] widths = new double[0x2300]; // by character; all that we draw is below
    private final String family;
    private final boolean bold;

    private Typeface(String family, boolean bold, byte[] woff) {
        this.family = family;
        this.bold = bold;
        this.sfnt = Woff.unpack(woff);
        Map<String, ByteBuffer> tables = Woff.tables(sfnt);
        this.unitsPerEm = Short.toUnsignedInt(tables.get("head").getShort(18));
        readWidths(tables);
    }

    /// The font that a text is set in.
    public static synchronized Typeface of(Type type) {
        String family = type.mono() ? "jetbrains-mono" : "source-sans-pro";
        String file = family + "-latin-" + (type.bold() ? 600 : 400) + "-normal.woff";
        return LOADED.computeIfAbsent(file, _ -> {
            String path =
                    "/META-INF/resources/webjars/fontsource__" + family + "/" + version(family) + "/files/" + file;
            String title = type.mono() ? "JetBrains Mono" : "Source Sans Pro";
            return new Typeface(title, type.bold(), resource(path));
        });
    }

    /// Which version of a font is bundled; its folder is named after it.
    private static String version(String family) {
        Properties pom = new Properties();
        String path = "/META-INF/maven/org.webjars.npm/fontsource__" + family + "/pom.properties";
        try {
            pom.load(new ByteArrayInputStream(resource(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pom.getProperty("version");
    }

    private static byte[] resource(String path) {
        try (InputStream in = Typeface.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("a bundled font is missing: " + path);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("a bundled font cannot be read: " + path, e);
        }
    }

    /// The name of its family.
    public String family() {
        return family;
    }

    /// Whether it is the heavy one.
    public boolean bold() {
        return bold;
    }

    /// The font as an OpenType file.
    public byte[] openType() {
        return sfnt.clone();
    }

    /// How wide a text is at a size.
    public double width(String text, double size) {
        double width = 0;
        for (int i = 0; i < text.length(); i++) {
            width += width(text.charAt(i));
        }
        return width * size;
    }

    /// How wide a character is at size 1; one that the font lacks is as wide as its widest digit.
    double width(char character) {
        double width = character < widths.length ? widths[character] : 0;
        return width > 0 || character < PRINTABLE ? width : widths['0'];
    }

    /// Whether the font has a glyph for this character.
    public boolean has(char character) {
        return character < widths.length && widths[character] > 0;
    }

    private void readWidths(Map<String, ByteBuffer> tables) {
        ByteBuffer cmap = tables.get("cmap");
        ByteBuffer hmtx = tables.get("hmtx");
        int metrics = Short.toUnsignedInt(tables.get("hhea").getShort(34));
        int segments = format4(cmap);
        int doubled = Short.toUnsignedInt(cmap.getShort(segments + 6)); // twice the number of segments
        for (int at = 0; at < doubled; at += 2) {
            int end = Short.toUnsignedInt(cmap.getShort(segments + 14 + at));
            int start = Short.toUnsignedInt(cmap.getShort(segments + 16 + doubled + at));
            int delta = cmap.getShort(segments + 16 + 2 * doubled + at);
            int offsetAt = segments + 16 + 3 * doubled + at;
            int offset = Short.toUnsignedInt(cmap.getShort(offsetAt));
            for (int code = start; code <= end && code < widths.length; code++) {
                int glyph = offset == 0 ? code : cmap.getShort(offsetAt + offset + 2 * (code - start));
                if (offset == 0 || glyph != 0) {
                    int index = Math.min(glyph + delta & 0xffff, metrics - 1);
                    widths[code] = Short.toUnsignedInt(hmtx.getShort(4 * index)) / unitsPerEm;
                }
            }
        }
    }

    /// Where the subtable for Windows and Unicode begins, which each of our fonts has.
    private static int format4(ByteBuffer cmap) {
        int subtables = Short.toUnsignedInt(cmap.getShort(2));
        for (int i = 0; i < subtables; i++) {
            int offset = cmap.getInt(4 + 8 * i + 4);
            if (cmap.getShort(offset) == 4) {
                return offset;
            }
        }
        throw new IllegalStateException("a bundled font has no table of characters");
    }
}
