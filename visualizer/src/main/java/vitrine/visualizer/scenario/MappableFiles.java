package vitrine.visualizer.scenario;

import vitrine.dax.EndlessFiles;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.session.HostMount;

/// Files as a DAX window needs them, for a scenario in which something is mapped. Set up when the
/// first one is, because not every host can, and not watched: it is no part of the story.
final class MappableFiles implements AutoCloseable {

    private final Syscalls sys = new Syscalls(Libc.load());
    private final EndlessFiles files = new EndlessFiles(sys);
    private HostMount mount;

    Fd open(Fd file) throws ErrnoException {
        if (mount == null) {
            mount = HostMount.of(sys, files);
            files.useMount(mount.device(), mount.root());
        }
        return files.open(file);
    }

    @Override
    public void close() {
        if (mount != null) {
            mount.close();
        }
    }
}
