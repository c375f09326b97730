package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.paint.Token;

/// The colours: text can be read, stages can be told apart by anybody, and nobody else has a
/// colour.
class ThemeTest {

    /// WCAG 2.2, 1.4.3 and 1.4.11.
    ///
    /// Seen to catch: a grey for the future that had 2.8 on every second lane.
    @Test
    void textCanBeReadOnEveryGround() {
        for (Theme theme : Theme.values()) {
            for (Token ground : List.of(Token.PAGE, Token.PANEL, Token.BAND)) {
                assertContrast(theme, Token.TEXT, ground, 7);
                assertContrast(theme, Token.MUTED, ground, 4.5);
                assertContrast(theme, Token.FAINT, ground, 3);
                assertContrast(theme, Token.ACCENT, ground, 4.5);
                assertContrast(theme, Token.ERROR, ground, 4.5);
                assertContrast(theme, Token.CHANGED, ground, 4.5);
                assertContrast(theme, Token.SELECTED, ground, 4.5);
            }
            for (Token stage : Token.stages()) {
                assertContrast(theme, theme.labelOn(stage), stage, 4.5);
            }
        }
    }

    private static void assertContrast(Theme theme, Token text, Token ground, double least) {
        double contrast = Theme.contrast(theme.rgb(text), theme.rgb(ground));
        assertTrue(contrast >= least, theme + ": " + text + " on " + ground + " has " + contrast);
    }

    /// For normal sight and the three kinds of colour blindness (Machado, Oliveira and Fernandes
    /// 2009, severity 1), as distances in CIE Lab.
    @Test
    void stagesAreFarApartForEveryKindOfSight() {
        for (Theme theme : Theme.values()) {
            double least = theme == Theme.DARK ? 38 : 45;
            Token[] stages = Token.stages();
            for (int i = 0; i < stages.length; i++) {
                for (int j = i + 1; j < stages.length; j++) {
                    for (double[] sight : SIGHTS) {
                        double distance = distance(
                                lab(seen(theme.rgb(stages[i]), sight)), lab(seen(theme.rgb(stages[j]), sight)));
                        assertTrue(distance >= least, theme + ": " + stages[i] + " and " + stages[j] + ": " + distance);
                    }
                }
            }
        }
    }

    private static final double[][] SIGHTS = {
        {1, 0, 0, 0, 1, 0, 0, 0, 1},
        {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
        {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
        {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}
    };

    private static double[] seen(int rgb, double[] sight) {
        double[] linear = {linear(rgb >> 16), linear(rgb >> 8), linear(rgb)};
        double[] seen = new double[3];
        for (int row = 0; row < 3; row++) {
            double sum = 0;
            for (int column = 0; column < 3; column++) {
                sum += sight[3 * row + column] * linear[column];
            }
            seen[row] = Math.clamp(sum, 0, 1);
        }
        return seen;
    }

    private static double linear(int channel) {
        double value = (channel & 0xff) / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }

    private static double[] lab(double[] rgb) {
        double x = lightness((0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / 0.95047);
        double y = lightness(0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2]);
        double z = lightness((0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / 1.08883);
        return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double lightness(double t) {
        return t > 216.0 / 24389 ? Math.cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }

    private static double distance(double[] one, double[] other) {
        return Math.sqrt(
                Math.pow(one[0] - other[0], 2) + Math.pow(one[1] - other[1], 2) + Math.pow(one[2] - other[2], 2));
    }

    /// A colour that is written down anywhere else is wrong in two themes of three.
    @Test
    void noColourIsWrittenDownOutsideTheTheme() throws IOException {
        Pattern colour = Pattern.compile("\"#[0-9a-fA-F]{6}\"|\\bColor\\.(?!TRANSPARENT)[A-Z]+\\b(?=[,;)])"
                + "|new Color\\(\\s*\\d|0x[0-9a-f]{6}\\b");
        List<String> findings = new ArrayList<>();
        Path sources = Path.of(System.getProperty("vitrine.root"), "visualizer/src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String text = Files.readString(file);
                if (!file.endsWith("Theme.java") && colour.matcher(text).find()) {
                    findings.add(file.getFileName() + ": "
                            + colour.matcher(text).results().map(r -> r.group()).toList());
                }
            }
        }
        assertEquals(List.of(), findings);
    }
}
