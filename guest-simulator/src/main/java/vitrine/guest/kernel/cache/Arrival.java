package vitrine.guest.kernel.cache;

/// A READ that is to bring pages of a file, and that nobody waits for yet.
public interface Arrival {

    /// What it is to bring.
    Run run();

    /// Whether it is back.
    boolean isBack();

    /// Waits until it is back, and puts what came where it belongs. Called once, with the lock of
    /// the pages held.
    void take();
}
