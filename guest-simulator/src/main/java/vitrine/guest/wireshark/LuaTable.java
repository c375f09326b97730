package vitrine.guest.wireshark;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A table of Lua, in the making: what Lua calls a constructor.
final class LuaTable {

    private final List<String> entries = new ArrayList<>();

    /// Adds an element, without a key.
    LuaTable add(String text) {
        entries.add(quoted(text));
        return this;
    }

    /// Adds a table as an element.
    LuaTable add(LuaTable table) {
        entries.add(table.toString());
        return this;
    }

    /// Adds a value by its number.
    LuaTable put(int key, Object value) {
        entries.add("[" + key + "] = " + inLua(value));
        return this;
    }

    /// Adds a value by its name, which is a word.
    LuaTable put(String key, Object value) {
        entries.add(key + " = " + inLua(value));
        return this;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /// As a line `local NAME = { ... }`, an entry a line.
    String as(String name) {
        return entries.stream().collect(Collectors.joining(",\n    ", "local " + name + " = {\n    ", "\n}\n"));
    }

    @Override
    public String toString() {
        return entries.isEmpty() ? "{}" : "{ " + String.join(", ", entries) + " }";
    }

    private static String inLua(Object value) {
        return value instanceof String text ? quoted(text) : value.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
