package vitrine.guest.workload;

import java.awt.geom.Line2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/// What work took, as a picture: how many per cent were done in which time, and how fast it went
/// from the beginning to the end.
public final class ResultPicture {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 640;
    private static final int LEFT = 90;
    private static final int RIGHT = 870;
    private static final int PANEL = 200;
    private static final int FIRST = 90; // where the panels begin
    private static final int SECOND = 390;
    private static final String GRID = "#d8dde6";
    private static final List<String> COLOURS = Picture.COLOURS.subList(1, Picture.COLOURS.size());

    private final Picture picture = new Picture(WIDTH);

    /// Something whose times were measured.
    ///
    /// @param name for the legend
    /// @param nanos its times
    public record Times(String name, Histogram nanos) {}

    /// How fast it went.
    ///
    /// @param unit of a second, such as `MiB/s`
    /// @param size how many steps of the counter are one of the unit
    /// @param pace what was seen
    public record Speed(String unit, double size, Pace pace) {}

    private ResultPicture() {}

    /// Draws it.
    ///
    /// @param file its name ends in `.svg` or `.png`
    /// @throws IOException if it cannot be written
    public static void write(Path file, String title, List<Times> times, Speed speed) throws IOException {
        ResultPicture result = new ResultPicture();
        result.picture.heading(LEFT, 32, title);
        result.latencies(
                times.stream().filter(each -> each.nanos.getTotalCount() > 0).toList());
        result.speed(speed);
        result.picture.write(file, HEIGHT);
    }

    // ---- how many per cent in which time: each nine has the same room, and each power of ten

    private void latencies(List<Times> times) {
        picture.heading(LEFT, FIRST - 30, times.isEmpty() ? "no times were measured" : "done within (time, per cent)");
        if (times.isEmpty()) {
            return;
        }
        long least = times.stream()
                .mapToLong(each -> each.nanos.getMinNonZeroValue())
                .min()
                .orElseThrow();
        long most =
                times.stream().mapToLong(each -> each.nanos.getMaxValue()).max().orElseThrow();
        int low = (int) Math.floor(Math.log10(Math.max(1, least)));
        int high = Math.max(low + 1, (int) Math.ceil(Math.log10(Math.max(1, most))));
        long count = times.stream()
                .mapToLong(each -> each.nanos.getTotalCount())
                .max()
                .orElseThrow();
        double nines = Math.max(1, Math.log10(count));
        for (int power = low; power <= high; power++) {
            double y = at(FIRST, (double) (power - low) / (high - low));
            row(y, Times10.of(power));
        }
        for (int nine = 0; nine <= nines; nine++) {
            double x = LEFT + (RIGHT - LEFT) * nine / nines;
            column(FIRST, x, Times10.percent(nine));
        }
        for (int i = 0; i < times.size(); i++) {
            String colour = COLOURS.get(i % COLOURS.size());
            picture.line(
                    new Line2D.Double(LEFT + 300 + 150 * i, FIRST - 34, LEFT + 320 + 150 * i, FIRST - 34), colour, 3);
            picture.text(LEFT + 326 + 150 * i, FIRST - 30, times.get(i).name);
            curve(times.get(i).nanos, nines, low, high, colour);
        }
    }

    private void curve(Histogram nanos, double nines, int low, int high, String colour) {
        int steps = 200;
        double lastX = LEFT;
        double lastY = timeAt(nanos.getMinNonZeroValue(), low, high);
        double own = Math.max(0.1, Math.log10(nanos.getTotalCount()));
        for (int step = 1; step <= steps; step++) {
            double nine = own * step / steps;
            double x = LEFT + (RIGHT - LEFT) * Math.min(1, nine / nines);
            double y = timeAt(nanos.getValueAtPercentile(100 - 100 / Math.pow(10, nine)), low, high);
            picture.line(new Line2D.Double(lastX, lastY, x, y), colour, 2);
            lastX = x;
            lastY = y;
        }
    }

    private static double timeAt(long nanos, int low, int high) {
        return at(FIRST, (Math.log10(Math.max(1, nanos)) - low) / (high - low));
    }

    // ---- how fast

    private void speed(Speed speed) {
        picture.heading(LEFT, SECOND - 30, speed.unit + " (over seconds)");
        List<Pace.Stretch> stretches = speed.pace.stretches();
        double most = stretches.stream()
                .mapToDouble(each -> each.rate() / speed.size)
                .max()
                .orElse(1);
        double top = roundedUp(Math.max(most, 1e-9));
        double end = Math.max(1e-9, stretches.getLast().second());
        for (int quarter = 0; quarter <= 4; quarter++) {
            row(at(SECOND, quarter / 4.0), number(top * quarter / 4));
            column(SECOND, LEFT + (RIGHT - LEFT) * quarter / 4.0, number(end * quarter / 4) + " s");
        }
        double lastX = LEFT;
        double lastY = at(SECOND, stretches.getFirst().rate() / speed.size / top);
        for (Pace.Stretch stretch : stretches) {
            double x = LEFT + (RIGHT - LEFT) * stretch.second() / end;
            double y = at(SECOND, stretch.rate() / speed.size / top);
            picture.line(new Line2D.Double(lastX, lastY, x, y), COLOURS.getFirst(), 2);
            lastX = x;
            lastY = y;
        }
    }

    /// The next of 1, 2, 4, 5, 8 and 10, times a power of ten.
    private static double roundedUp(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (int step : new int[] {1, 2, 4, 5, 8}) {
            if (value <= step * power) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3g", value);
    }

    // ---- a panel

    /// @param share of its height, from below
    private static double at(int panel, double share) {
        return panel + PANEL * (1 - share);
    }

    private void row(double y, String label) {
        picture.line(new Line2D.Double(LEFT, y, RIGHT, y), GRID, 1);
        picture.text(20, y + 4, label);
    }

    private void column(int panel, double x, String label) {
        picture.line(new Line2D.Double(x, panel, x, panel + PANEL), GRID, 1);
        picture.text(Math.min(x, RIGHT - 40) - 4, panel + PANEL + 20, label);
    }

    /// Powers of ten, for people.
    private static final class Times10 {

        private Times10() {}

        /// So many nanoseconds.
        static String of(int power) {
            int digit = (int) Math.pow(10, power % 3);
            return digit + " "
                    + List.of("ns", "µs", "ms", "s", "000 s", "000,000 s").get(power / 3);
        }

        /// 0, 90, 99, 99.9 per cent, and so on.
        static String percent(int nines) {
            return nines == 0
                    ? "0 %"
                    : String.format(
                            Locale.ROOT, "%." + Math.max(0, nines - 2) + "f %%", 100 - 100 / Math.pow(10, nines));
        }
    }
}
