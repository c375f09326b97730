package vitrine.guest.workload.fio;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// JSON as fio lays it out.
public final class Json {

    private final StringBuilder out = new StringBuilder();

    private Json() {}

    /// The text of a value.
    ///
    /// @param value maps, lists, numbers and texts
    public static String of(Object value) {
        Json json = new Json();
        json.write(value, 0);
        return json.out.toString();
    }

    private void write(Object value, int depth) {
        switch (value) {
            case Map<?, ?> map -> {
                Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
                block('{', '}', depth, entries.hasNext(), () -> {
                    Map.Entry<?, ?> entry = entries.next();
                    out.append(quoted((String) entry.getKey())).append(" : ");
                    write(entry.getValue(), depth + 1);
                    return entries.hasNext();
                });
            }
            case List<?> list -> {
                Iterator<?> items = list.iterator();
                block('[', ']', depth, items.hasNext(), () -> {
                    write(items.next(), depth + 1);
                    return items.hasNext();
                });
            }
            case Double number -> out.append(Numbers.format("%f", number));
            case Number number -> out.append(number);
            default -> out.append(quoted(value.toString()));
        }
    }

    /// Writes one item, and says whether there is another.
    private interface Item {
        boolean write();
    }

    private void block(char open, char close, int depth, boolean any, Item item) {
        out.append(open).append('\n');
        boolean more = any;
        while (more) {
            out.append("  ".repeat(depth + 1));
            more = item.write();
            out.append(more ? ",\n" : "\n");
        }
        out.append("  ".repeat(depth)).append(close);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                default -> quoted.append(c < ' ' ? Numbers.format("\\u%04x", (int) c) : c);
            }
        }
        return quoted.append('"').toString();
    }
}
