package vitrine.conformance.dax;

import static vitrine.conformance.posix.HostKernel.SYS;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import vitrine.dax.DaxPolicy;
import vitrine.dax.Window;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;

/// A simulated guest with a DAX window: daemon, front end and kernel are the real ones.
final class DaxGuest implements AutoCloseable {

    /// What Linux maps at a time.
    static final long RANGE = 2L << 20;

    final Window window;
    final Machine machine;
    final GuestProcess program;

    /// What the daemon was asked, in order.
    final List<FuseRequest> asked = new ArrayList<>();

    private final PassthroughFs share;

    /// How the daemon is reached.
    interface Boot {
        Machine machine(FileSystem fileSystem, MachineOptions options) throws ErrnoException, FrontendException;
    }

    /// What is shared.
    ///
    /// @param endless makes the files that are mapped
    /// @param ranges how many the window has
    record Share(Window.Endless endless, Path directory, int ranges, PassthroughOptions options) {

        /// The usual: each file is named as one for the window.
        static Share of(EndlessHost host, Path directory, int ranges) {
            return new Share(
                    host.files::open, directory, ranges, PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Always()));
        }
    }

    DaxGuest(Share shared, MachineOptions options, Boot boot) throws ErrnoException, FrontendException {
        window = shared.ranges == 0 ? Window.none() : new Window(SYS, shared.ranges * RANGE, shared.endless);
        share = new PassthroughFs(SYS, shared.directory.toString(), shared.options, window);
        machine = boot.machine(this::answer, options.withWindow(window));
        program = machine.rootProgram();
    }

    private Reply answer(FuseRequest request) throws ErrnoException {
        synchronized (asked) {
            asked.add(request);
        }
        return share.answer(request);
    }

    @Override
    public void close() throws ErrnoException {
        try (share) {
            machine.close();
        }
    }
}
