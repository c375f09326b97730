package vitrine.conformance.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The little of Markdown that our documents promise to keep, so that tests can read them.
///
/// A *section* is what stands between a heading and the next heading of its level or above. An
/// *entry* is a row of a table, or an item of a list. What an entry speaks of stands first, in
/// backticks: in the first cell of the row, or before the first ` — ` or `: ` of the item. So in
///
/// ```
/// | `QueueWorker.run` | wakes up, and asks `DeviceQueue.pop` for work |
/// 3. `InodeTable`, `HandleTable`: what the guest's numbers stand for
/// ```
///
/// the first entry is about `QueueWorker.run` alone and the second about two classes.
final class Markdown {

    /// A row or an item.
    ///
    /// @param line where it stands, from 1
    /// @param subjects what it speaks of: the words in backticks that come first
    record Entry(int line, List<String> subjects) {}

    /// A block of code between fences.
    ///
    /// @param line where its first line stands, from 1
    /// @param mark the comment on the line before the fence: `run` for `<!-- run -->`; or empty
    record Code(int line, String mark, String text) {}

    /// A part of a document under a heading.
    ///
    /// @param line where the heading stands, from 1
    record Section(int line, String heading, List<String> lines) {

        /// The sections one level further down.
        List<Section> sections(String prefix) {
            return Markdown.sections(lines, prefix, line);
        }

        List<Entry> entries() {
            List<Entry> entries = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                String subject = subjectOf(lines.get(i).strip());
                List<String> words = BACKTICKS
                        .matcher(subject)
                        .results()
                        .map(found -> found.group(1))
                        .toList();
                if (!words.isEmpty()) {
                    entries.add(new Entry(line + 1 + i, words));
                }
            }
            return entries;
        }
    }

    private static final Pattern BACKTICKS = Pattern.compile("`([^`]+)`");
    private static final Pattern ITEM = Pattern.compile("^(?:[-*]|\\d+\\.) (.*?)(?: — |: |$).*");
    private static final Pattern ROW = Pattern.compile("^\\|([^|]*)\\|.*");
    private static final Pattern MARK = Pattern.compile("<!-- (\\w+) -->");

    private Markdown() {}

    /// The sections of a document whose headings start with `prefix`, e.g. `"## "`.
    static List<Section> sections(String document, String prefix) {
        return sections(document.lines().toList(), prefix, 0);
    }

    private static List<Section> sections(List<String> lines, String prefix, int offset) {
        List<Section> sections = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(prefix)) {
                int end = i + 1;
                while (end < lines.size() && !isHeadingAtOrAbove(lines.get(end), prefix)) {
                    end++;
                }
                String heading = lines.get(i).substring(prefix.length()).strip();
                sections.add(new Section(offset + i + 1, heading, lines.subList(i + 1, end)));
            }
        }
        return sections;
    }

    private static boolean isHeadingAtOrAbove(String line, String prefix) {
        int hashes = line.indexOf(' ');
        return hashes > 0
                && hashes < prefix.length()
                && line.substring(0, hashes).matches("#+");
    }

    private static String subjectOf(String line) {
        return Stream.of(ROW, ITEM)
                .map(pattern -> pattern.matcher(line))
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .findFirst()
                .orElse("");
    }

    /// The blocks of code in one language, e.g. `sh`.
    static List<Code> code(String document, String language) {
        List<Code> blocks = new ArrayList<>();
        List<String> lines = document.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).equals("```" + language)) {
                int start = i + 1;
                while (++i < lines.size() && !lines.get(i).equals("```")) {}
                String before = start < 2 ? "" : lines.get(start - 2).strip();
                String mark =
                        MARK.matcher(before).matches() ? MARK.matcher(before).replaceFirst("$1") : "";
                blocks.add(new Code(start + 1, mark, String.join("\n", lines.subList(start, i)) + "\n"));
            }
        }
        return blocks;
    }
}
