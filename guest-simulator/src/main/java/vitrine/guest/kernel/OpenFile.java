package vitrine.guest.kernel;

/// An open file description: what file descriptors refer to.
public interface OpenFile {

    /// The server's handle.
    long fh();

    /// The flags of open(2) that stay, as requests have them (`f_flags` in Linux).
    int flags();

    /// What the server said about caching (`FOPEN_`).
    int openFlags();

    /// The number by which server and guest know the file.
    long nodeid();

    /// Where read(2) and write(2) go on.
    long position();

    /// Moves to another position.
    void position(long newPosition);

    /// Where the guest believes that the file ends. Somebody else may have moved the end since.
    long believedSize();
}
