package vitrine.guest.workload.fio;

import vitrine.posix.ErrnoException;

/// One read or write of a block.
final class Io {

    final boolean write;
    final long offset;
    final long started = System.nanoTime(); // when it was decided on
    long issued; // when it had been handed over
    long done;
    int moved; // bytes
    ErrnoException error; // null if it succeeded

    Io(boolean write, long offset) {
        this.write = write;
        this.offset = offset;
    }
}
