package vitrine.visualizer.window;

import java.io.ByteArrayInputStream;
import java.util.HashMap;
import java.util.Map;
import javafx.scene.text.Font;
import vitrine.visualizer.paint.Type;
import vitrine.visualizer.paint.Typeface;

/// The bundled fonts, as JavaFX has them.
final class Fonts {

    private record Cut(Typeface face, double size) {}

    private static final Map<Typeface, String> NAMES = new HashMap<>();
    private static final Map<Cut, Font> FONTS = new HashMap<>();

    private Fonts() {}

    /// Makes them known by their names, for style sheets.
    static void load() {
        for (Type type : new Type[] {
            Type.plain(12), Type.plain(12).heavy(), Type.mono(12), Type.mono(12).heavy()
        }) {
            of(type);
        }
    }

    /// The font for a text.
    static Font of(Type type) {
        Typeface face = Typeface.of(type);
        return FONTS.computeIfAbsent(new Cut(face, type.size()), cut -> new Font(name(face), cut.size()));
    }

    private static String name(Typeface face) {
        return NAMES.computeIfAbsent(face, _ -> {
            Font font = Font.loadFont(new ByteArrayInputStream(face.openType()), 12);
            if (font == null) {
                throw new IllegalStateException("the bundled font " + face.family() + " cannot be used");
            }
            return font.getName();
        });
    }
}
