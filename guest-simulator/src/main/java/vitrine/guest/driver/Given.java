package vitrine.guest.driver;

/// What a driver remembers of the chains that the device has, by head, and what it holds against a
/// device that gives back something else.
///
/// @param <T> what the driver knows its requests by
final class Given<T> {

    /// A chain.
    ///
    /// @param entries how many entries of the ring it took
    /// @param room how many bytes the device may write
    record Chain<T>(T token, int entries, long room) {}

    private final Chain<T>[] chains;
    private int count;

    @SuppressWarnings({"unchecked", "rawtypes"})
    Given(int heads) {
        chains = (Chain<T>[]) new Chain[heads];
    }

    void note(int head, Chain<T> chain) {
        chains[head] = chain;
        count++;
    }

    int count() {
        return count;
    }

    Chain<T> takeBack(long head, long written) throws BrokenDeviceException {
        if (head >= chains.length) {
            throw new BrokenDeviceException("chain " + head + " returned by a queue of " + chains.length);
        }
        Chain<T> chain = chains[(int) head];
        if (chain == null) {
            throw new BrokenDeviceException("chain " + head + " returned, which the device does not have");
        }
        if (written > chain.room()) {
            throw new BrokenDeviceException(
                    "chain " + head + ": " + written + " bytes written where " + chain.room() + " fit");
        }
        chains[(int) head] = null;
        count--;
        return chain;
    }
}
