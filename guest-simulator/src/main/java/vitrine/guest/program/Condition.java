package vitrine.guest.program;

import java.util.Iterator;
import java.util.List;

/// Which clients something holds for: `before 6.6`, `from 6.12`, `virtiofs`, `/dev/fuse`, `dax`, or
/// several of these, which must all hold.
///
/// @param text as it is written; empty for every client
record Condition(String text) {

    static final Condition ALWAYS = new Condition("");

    /// Refuses what is no condition.
    Condition {
        evaluate(text, new Client("0.0", true));
    }

    boolean holdsFor(Client client) {
        return evaluate(text, client);
    }

    private static boolean evaluate(String text, Client client) {
        Iterator<String> words = List.of(text.strip().split("\\s+")).iterator();
        boolean holds = true;
        while (words.hasNext()) {
            holds &= switch (words.next()) {
                case "" -> true;
                case "virtiofs" -> client.virtiofs();
                case "/dev/fuse" -> !client.virtiofs();
                case "dax" -> client.dax();
                case "before" -> client.isBefore(words.next());
                case "from" -> !client.isBefore(words.next());
                case String other -> throw new IllegalArgumentException(other + " in: " + text);
            };
        }
        return holds;
    }
}
