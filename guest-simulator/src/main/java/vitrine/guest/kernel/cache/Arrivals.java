package vitrine.guest.kernel.cache;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// The READs that are to bring pages of a file. Whoever needs one of the pages waits for its READ,
/// and for no other (`PG_locked` in Linux).
///
/// Nobody works behind the scenes: a READ that is back is taken in when somebody looks.
final class Arrivals {

    private final Set<Arrival> underWay = new LinkedHashSet<>();

    void add(Arrival arrival) {
        underWay.add(arrival);
    }

    /// Waits for all pages from one to another, which is not among them.
    void await(long first, long end) {
        take(arrival -> arrival.run().first() < end
                && first < arrival.run().first() + arrival.run().count());
    }

    /// Takes in what is back.
    void takeBack() {
        take(Arrival::isBack);
    }

    private void take(Predicate<Arrival> which) {
        for (Arrival arrival : List.copyOf(underWay)) {
            if (which.test(arrival) && underWay.remove(arrival)) {
                arrival.take();
            }
        }
    }
}
