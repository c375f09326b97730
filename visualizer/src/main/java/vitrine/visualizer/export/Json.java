package vitrine.visualizer.export;

/// Text as JSON has it.
final class Json {

    private Json() {}

    static String text(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            switch (letter) {
                case '"', '\\' -> json.append('\\').append(letter);
                case '\n' -> json.append("\\n");
                default -> {
                    if (letter < 0x20 || Character.isSurrogate(letter)) {
                        json.append(String.format("\\u%04x", (int) letter));
                    } else {
                        json.append(letter);
                    }
                }
            }
        }
        return json.append('"').toString();
    }
}
