package vitrine.conformance.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import vitrine.passthrough.translation.XattrMap;
import vitrine.posix.ErrnoException;
import vitrine.wire.Name;

/// Rules, a NUL, and names that they are tried on.
final class XattrMapTarget implements FuzzTarget {

    @Override
    public void take(byte[] input) {
        String[] texts = new String(input, StandardCharsets.UTF_8).split("\0");
        XattrMap map;
        try {
            map = XattrMap.parse(texts.length == 0 ? "" : texts[0]);
        } catch (IllegalArgumentException wrong) {
            if (wrong.getMessage() == null) {
                throw wrong;
            }
            return;
        }
        for (String text : texts) {
            use(map, Name.of(text));
        }
    }

    /// What the guest is told of its own name is a name.
    private static void use(XattrMap map, Name name) {
        try {
            Optional<Name> seen = map.toGuest(map.toHost(name));
            if (seen.isPresent() && seen.get().length() == 0 && name.length() > 0) {
                throw new AssertionError(name + " is seen as nothing");
            }
        } catch (ErrnoException _) {
            // refused
        }
    }
}
