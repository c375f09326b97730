package vitrine.visualizer.view;

import java.util.Map;
import java.util.Optional;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Run;

/// What a source has reported of two runs, of a machine that is not here: it stands beside what the
/// model says, and is never mixed with it.
///
/// @param first of the first run, with its unit
/// @param second likewise
/// @param work what was measured there
/// @param gain how many times as good the second is
record Reports(String first, String second, String work, double gain) {

    /// Empty if the two are not before and after of the same report.
    static Optional<Reports> of(Run first, Run second) {
        Map<String, String> a = first.about();
        Map<String, String> b = second.about();
        String work = a.getOrDefault("reported-of", "");
        if (work.isEmpty()
                || !work.equals(b.get("reported-of"))
                || first.about().equals(second.about())) {
            return Optional.empty();
        }
        try {
            double gain = Double.parseDouble(a.getOrDefault("reported-gain", ""));
            return Optional.of(new Reports(a.getOrDefault("reported", ""), b.getOrDefault("reported", ""), work, gain));
        } catch (NumberFormatException _) {
            return Optional.empty(); // a capture may say what it likes
        }
    }

    /// In a line.
    String text() {
        return "reported " + first + " | " + second + ", B " + Wording.decimal(gain) + " times as good: " + work;
    }
}
