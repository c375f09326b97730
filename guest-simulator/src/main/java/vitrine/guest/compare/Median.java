package vitrine.guest.compare;

import java.util.Arrays;

/// The middle of what was seen: as much lies above as below.
public final class Median {

    private Median() {}

    /// With an even number of values, halfway between the two in the middle.
    ///
    /// @param values one at least, in any order; they are not changed
    public static double of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
