package vitrine.guest.experiment;

import java.util.Locale;

/// What a source says of a change: of a machine that is not here.
///
/// @param work what was measured there
/// @param unit of both figures
/// @param before the change
/// @param after it
public record Reported(String work, Row.Unit unit, double before, double after) {

    /// November 2020, with the patches for the C daemon.
    public static final Reported KILLPRIV =
            new Reported("4 KiB random writes, libaio, 64 at once", Row.Unit.MIB_PER_SECOND, 84.6, 273);

    /// Root, no extended attributes, a kernel without HANDLE_KILLPRIV_V2.
    public static final Reported DIRECT =
            new Reported("4 KiB random writes on a slow disk, libaio, 64 at once", Row.Unit.MIB_PER_SECOND, 66.7, 67.7);

    /// 16,384 times: 12.5 s and 2.75 s.
    public static final Reported APPEND = new Reported(
            "5 bytes at the end of a file, made longer first or (without DAX) written", Row.Unit.MICROS, 762.9, 167.8);

    /// October 2021, in the C daemon; the middle of what was reported.
    public static final Reported LOOKUP = new Reported("a LOOKUP in the server", Row.Unit.MICROS, 7.5, 3);

    /// August 2019; the source has MB of 1,048,576 bytes (fio 2).
    public static final Reported GATHER =
            new Reported("1 MiB random writes of 16 jobs", Row.Unit.MIB_PER_SECOND, 886, 1793);

    /// A figure with its unit, such as `84.6 MiB/s`.
    public String text(double figure) {
        String format = figure == Math.rint(figure) ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, format, figure, unit.text());
    }

    /// How many times as good it is after the change.
    public double gain() {
        return unit.gain(before, after);
    }
}
