package vitrine.conformance.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import vitrine.guest.compare.Median;
import vitrine.guest.experiment.Row;
import vitrine.guest.workload.fio.Samples;
import vitrine.guest.workload.fio.Windows;

/// What is made of many measurements agrees with them.
class SamplesTest {

    private static final long MILLI = 1_000_000;
    private static final double NEAR = 1e-6;

    /// All that many I/Os under way have moved is there after the last whole half second.
    ///
    /// Seen to catch: `next` that is `i + 1` for the last window too.
    @Test
    void aBurstAtTheEndCounts() {
        Windows windows = new Windows(7);
        windows.add(7 + 100 * MILLI, 1000);
        windows.add(7 + 1100 * MILLI, 63_000);

        Samples samples = windows.perSecond(7 + 1200 * MILLI);

        assertEquals(2, samples.count());
        assertEquals(2000, samples.least(), NEAR);
        assertEquals(63_000 / 0.7, samples.most(), NEAR);
    }

    /// Seen to catch: windows in which nothing came left out.
    @Test
    void theMeanIsWhatTheWholeRunCameTo() {
        Windows windows = new Windows(0);
        windows.add(1200 * MILLI, 40); // told of it late, and in another order
        windows.add(300 * MILLI, 20);
        windows.add(9999 * MILLI, 30);

        Samples samples = windows.perSecond(10_000 * MILLI);

        assertEquals(20, samples.count());
        assertEquals(9, samples.mean(), NEAR);
        assertEquals(0, samples.least());
        assertEquals(80, samples.most(), NEAR);
    }

    /// Seen to catch: windows only as far as something came.
    @Test
    void aLongSilenceAtTheEndCounts() {
        Windows windows = new Windows(0);
        windows.add(100 * MILLI, 90);

        Samples samples = windows.perSecond(30_000 * MILLI);

        assertEquals(60, samples.count());
        assertEquals(3, samples.mean(), NEAR);
    }

    /// Seen to catch: a sample of 0 where nothing was moved in all the time.
    @Test
    void whatIsShorterThanAWindowOrMovedNothingHasNoSamples() {
        Windows some = new Windows(0);
        some.add(100 * MILLI, 1);

        assertEquals(Samples.NONE, some.perSecond(450 * MILLI));
        assertEquals(Samples.NONE, new Windows(0).perSecond(3000 * MILLI));
    }

    /// As fio does it for `group_reporting`.
    ///
    /// Seen to catch: the larger number of samples instead of their sum.
    @Test
    void processesSideBySideAddUp() {
        Windows one = new Windows(0);
        one.add(100 * MILLI, 10);
        one.add(600 * MILLI, 20);
        Windows other = new Windows(0);
        other.add(100 * MILLI, 100);

        Samples both = one.perSecond(1000 * MILLI).beside(other.perSecond(500 * MILLI));

        assertEquals(3, both.count());
        assertEquals(220, both.least(), NEAR);
        assertEquals(240, both.most(), NEAR);
        assertEquals(230, both.mean(), NEAR);
        assertEquals(10, both.deviation(), NEAR);
    }

    /// Seen to catch: the upper one of the two in the middle, which for times is the worse.
    @Test
    void theMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
        assertEquals(3, Median.of(9, 1, 3));
        assertEquals(4, Median.of(9, 1, 3, 5));
        assertEquals(new Row.Range(242.5, 57, 428), Row.Range.of(List.of(428.0, 57.0)));
    }
}
