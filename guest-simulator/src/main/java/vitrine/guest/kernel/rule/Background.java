package vitrine.guest.kernel.rule;

/// Whether a request that nobody waits for is sent, or waits for those before it
/// (`flush_bg_queue` in Linux).
///
/// @param underWay how many of them the server has
/// @param most how many it may have: `max_background` of INIT, or 12
public record Background(int underWay, int most) implements Rule<Boolean> {

    /// Linux' limit where INIT says nothing.
    public static final int USUAL = 12;

    @Override
    public String title() {
        return "background: send?";
    }

    @Override
    public Boolean outcome() {
        return underWay < most;
    }
}
