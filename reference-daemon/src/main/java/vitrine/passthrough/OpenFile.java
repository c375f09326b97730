package vitrine.passthrough;

import vitrine.posix.Fd;

/// A regular file that the guest has open: what a handle of OPEN or CREATE stands for.
final class OpenFile extends SharedDescriptor {

    private final long nodeid;

    /// Takes over `fd`, open for what the guest asked for.
    OpenFile(Fd fd, long nodeid) {
        super(fd);
        this.nodeid = nodeid;
    }

    /// The file that was opened.
    long nodeid() {
        return nodeid;
    }
}
