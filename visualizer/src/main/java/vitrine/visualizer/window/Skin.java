package vitrine.visualizer.window;

import atlantafx.base.theme.PrimerDark;
import atlantafx.base.theme.PrimerLight;
import java.util.Locale;
import javafx.application.Application;
import javafx.scene.Parent;
import javafx.scene.paint.Color;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.paint.Token;

/// How the controls look: AtlantaFX, with the colours and the fonts of the pictures.
final class Skin {

    private static final double LETTERS = 13;

    private Skin() {}

    /// Dresses everything below `root`.
    static void put(Theme theme, double zoom, Parent root) {
        String sheet = theme == Theme.DARK
                ? new PrimerDark().getUserAgentStylesheet()
                : new PrimerLight().getUserAgentStylesheet();
        if (!sheet.equals(Application.getUserAgentStylesheet())) {
            Application.setUserAgentStylesheet(sheet);
        }
        root.setStyle(variables(theme, zoom));
    }

    private static String variables(Theme theme, double zoom) {
        return String.format(
                Locale.ROOT,
                "-fx-font-size: %.1fpx;"
                        + "-color-bg-default: %s; -color-bg-subtle: %s; -color-border-default: %s;"
                        + "-color-fg-default: %s; -color-fg-muted: %s;"
                        + "-color-accent-fg: %s; -color-accent-emphasis: %s;"
                        + "-color-shadow: %s; -color-veil: %s; -color-dark: %s;",
                LETTERS * zoom,
                theme.hex(Token.PAGE),
                theme.hex(Token.PANEL),
                theme.hex(Token.RULE),
                theme.hex(Token.TEXT),
                theme.hex(Token.MUTED),
                theme.hex(Token.ACCENT),
                theme.hex(Token.ACCENT),
                css(theme, 0.35),
                css(theme, 0.30),
                css(theme, 1));
    }

    /// Black, so thin.
    private static String css(Theme theme, double opacity) {
        Color black = Color.web(theme.hex(Token.BLACK));
        return String.format(
                Locale.ROOT,
                "rgba(%.0f, %.0f, %.0f, %.2f)",
                255 * black.getRed(),
                255 * black.getGreen(),
                255 * black.getBlue(),
                opacity);
    }
}
