package vitrine.guest.hostile;

import java.util.List;

/// A ring that contradicts itself (virtio 1.3, 2.7.13): what it says cannot be believed any more,
/// and no chain can be given back. All other queues can go on.
final class RingLies {

    private RingLies() {}

    static List<Lie> all() {
        return List.of(
                new Lie("Rings", "a head that there is not", Outcome.STOPS, session -> {
                    session.driver().offer(Session.QUEUE_SIZE);
                    return session.outcome();
                }),
                new Lie("Rings", "an index that jumps", Outcome.STOPS, session -> {
                    LyingDriver driver = session.driver();
                    driver.claim(driver.nextAvail() + Session.QUEUE_SIZE + 1 & 0xffff);
                    return session.outcome();
                }));
    }
}
