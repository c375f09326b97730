package vitrine.memory;

import vitrine.posix.Fd;

/// Who can make files appear in the guest's memory: the front end, in the window that it has set
/// aside for the device (virtio 1.3, 2.10: "Shared Memory Regions").
///
/// No method waits. Each gives an order, and answers with a [Change] that tells when it has been
/// carried out: whoever serves a queue must not stand still for the front end, which may be waiting
/// for this very queue to stop.
public interface Mapper {

    /// Makes a piece of a file appear in the window, where there must be nothing.
    ///
    /// @param file open for reading and writing; taken over
    /// @param fileOffset where the piece begins in the file; a multiple of the page size
    /// @param offset where it is to begin in the window, likewise
    /// @param length in bytes, likewise
    Change map(Fd file, long fileOffset, long offset, long length);

    /// Empties a part of the window.
    ///
    /// @param offset as it was given to [#map]
    /// @param length as it was given to [#map]
    Change unmap(long offset, long length);

    /// From now on runs `bell` whenever a change is complete, on any thread. The one before is not
    /// run any more.
    void listen(Runnable bell);

    /// What becomes of an order.
    interface Change {

        /// Whether it is complete: the guest sees it, or it has failed.
        boolean isDone();

        /// Why it failed, once it is done: an errno, or 0 if it did not.
        int errno();
    }
}
