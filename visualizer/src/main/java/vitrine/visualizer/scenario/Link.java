package vitrine.visualizer.scenario;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A moment in a scenario, as text:
/// `vitrine:killpriv-off@first-getxattr?view=rings&sel=desc-2&b=killpriv-on`.
///
/// @param run the name of a scenario, or a path to a capture file
/// @param anchor the moment, see [vitrine.visualizer.timeline.Anchors]
/// @param view the name of the view; empty for the first
/// @param selection the selected part; empty for none
/// @param other the run to compare with; empty for none
/// @param filter in the query language; empty for none
/// @param version of the scenario when the link was made; empty if nobody said
public record Link(
        String run, String anchor, String view, String selection, String other, String filter, String version) {

    private static final Pattern FORM = Pattern.compile("(?:vitrine:)?([^@?]+)(?:@([^?]*))?(?:\\?(.*))?");
    private static final Set<String> KEYS = Set.of("view", "sel", "b", "filter", "v");

    /// Reads a link; `vitrine:` may be left out.
    ///
    /// @throws IllegalArgumentException if it is none; the message says what is wrong
    public static Link parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no link; one looks like vitrine:SCENARIO@ANCHOR?view=VIEW");
        }
        Map<String, String> values = new LinkedHashMap<>();
        String query = matcher.group(3) == null ? "" : matcher.group(3);
        for (String pair : query.isEmpty() ? new String[0] : query.split("&")) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (equals < 0 || !KEYS.contains(key)) {
                throw new IllegalArgumentException(
                        "'" + pair + "' in the link: known are view=, sel=, b=, filter= and v=");
            }
            values.put(key, decoded(pair.substring(equals + 1)));
        }
        return new Link(
                matcher.group(1),
                matcher.group(2) == null ? "start" : matcher.group(2),
                values.getOrDefault("view", ""),
                values.getOrDefault("sel", ""),
                values.getOrDefault("b", ""),
                values.getOrDefault("filter", ""),
                values.getOrDefault("v", ""));
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw new IllegalArgumentException("'" + value + "' in the link: after % come two hexadecimal digits");
        }
    }

    @Override
    public String toString() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("view", view);
        values.put("sel", selection);
        values.put("b", other);
        values.put("filter", filter);
        values.put("v", version);
        String query = values.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return "vitrine:" + run + "@" + anchor + (query.isEmpty() ? "" : "?" + query);
    }
}
