package vitrine.passthrough.held;

import vitrine.posix.Fd;

/// A mount of the host from which files are known by their handles only: to open one, the kernel
/// wants a descriptor of any file there.
///
/// It keeps the mount busy, so that it goes with the last [HostReference] into it.
final class Mount extends SharedDescriptor {

    /// Takes over `fd`, open for reading.
    Mount(DescriptorBudget budget, Fd fd) {
        super(budget, fd);
    }
}
