package vitrine.visualizer.sheet;

import java.util.Arrays;
import vitrine.visualizer.paint.Theme;
import vitrine.visualizer.paint.Token;

/// Which of black and white is read better on a stage's colour: the same in all themes.
public final class Ink {

    private Ink() {}

    /// The one for a label on this.
    public static Token on(Token fill) {
        double black = worst(Token.BLACK, fill);
        return black >= worst(Token.WHITE, fill) ? Token.BLACK : Token.WHITE;
    }

    private static double worst(Token label, Token fill) {
        return Arrays.stream(Theme.values())
                .mapToDouble(theme -> Theme.contrast(theme.rgb(label), theme.rgb(fill)))
                .min()
                .orElseThrow();
    }
}
