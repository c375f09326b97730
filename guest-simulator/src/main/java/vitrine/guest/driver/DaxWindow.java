package vitrine.guest.driver;

/// The device's window in the guest's memory, as the driver finds it (virtio 1.3, 5.11.6.4: "DAX
/// Window").
///
/// What is seen in it the device decides: nothing, until the guest has asked for a piece of a file
/// (SETUPMAPPING). From then on loads and stores are the file's, and nobody is asked.
public interface DaxWindow {

    /// How large it is, in bytes.
    long size();

    /// What a program finds that loads from the window.
    ///
    /// @throws BusErrorException if a part of it is not there
    byte[] load(long offset, int length) throws BusErrorException;

    /// What a program does that stores to the window.
    ///
    /// @throws BusErrorException if a part of it is not there; some may be stored all the same
    void store(long offset, byte[] bytes) throws BusErrorException;
}
