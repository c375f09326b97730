package vitrine.passthrough;

import vitrine.posix.Fd;

/// A regular file that the guest has open: what a handle of OPEN or CREATE stands for.
final class OpenFile extends SharedDescriptor {

    private final long nodeid;
    private final boolean writable;

    /// Takes over `fd`, open for what the guest asked for.
    OpenFile(Fd fd, long nodeid, boolean writable) {
        super(fd);
        this.nodeid = nodeid;
        this.writable = writable;
    }

    /// The file that was opened.
    long nodeid() {
        return nodeid;
    }

    /// Whether the guest asked to write to it; on the host it may be open for more.
    boolean writable() {
        return writable;
    }
}
