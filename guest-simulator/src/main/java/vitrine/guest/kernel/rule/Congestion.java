package vitrine.guest.kernel.rule;

/// Whether a READ is sent of which the reader needs nothing yet: the first thing that is left out
/// when the server has much to do (`fuse_readahead` in Linux).
///
/// @param underWay how many requests it has, or will have, that were sent in the background
/// @param threshold from how many on it has enough: `congestion_threshold` of INIT, or 9
public record Congestion(int underWay, int threshold) implements Rule<Boolean> {

    /// Linux' threshold where INIT says nothing.
    public static final int USUAL = Background.USUAL * 3 / 4;

    @Override
    public String title() {
        return "read-ahead: send?";
    }

    @Override
    public Boolean outcome() {
        return underWay < threshold;
    }
}
