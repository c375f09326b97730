package vitrine.passthrough.held;

import vitrine.posix.FileHandle;

/// What is kept of a host file instead of a descriptor: it costs nothing, and keeps nothing of the
/// file. [HostHandles] opens the file again by it, unless it is gone by then.
///
/// @param handle what the file system calls the file
/// @param mount where the handle is good; held until this is closed
record HostReference(FileHandle handle, Mount mount) implements AutoCloseable {

    @Override
    public void close() {
        mount.close();
    }
}
