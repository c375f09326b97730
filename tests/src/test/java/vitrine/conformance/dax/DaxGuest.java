package vitrine.conformance.dax;

import static vitrine.conformance.posix.HostKernel.SYS;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import vitrine.dax.DaxPolicy;
import vitrine.dax.Window;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.RemoveMappingOne;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;

/// A simulated guest with a DAX window: daemon, front end and kernel are the real ones.
final class DaxGuest implements AutoCloseable {

    /// What Linux maps at a time.
    static final long RANGE = 2L << 20;

    private static final int MIB = 1 << 20;

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

    /// What a program does.
    interface Deed {
        void go() throws ErrnoException, BusErrorException;
    }

    /// What is asked during a deed, mappings in MiB, the rest from the end of a file that had so
    /// many bytes: `map 2 at 0 rw`, `unmap 4 0`, `WRITE 5+5`.
    String asked(long size, Deed deed) throws Exception {
        asked.clear();
        deed.go();
        return asked.stream()
                .filter(request -> !(request instanceof InodeRequest.Lookup
                        || request instanceof InodeRequest.Getattr
                        || request instanceof XattrRequest.Getxattr
                        || request instanceof FileRequest.Flush))
                .map(request -> text(request, size))
                .collect(Collectors.joining(", "));
    }

    private static String text(FuseRequest request, long size) {
        return switch (request) {
            case DaxRequest.SetupMapping(var _, var in) ->
                "map %d at %d %s".formatted(in.foffset() / MIB, in.moffset() / MIB, in.flags() == 2 ? "r" : "rw");
            case DaxRequest.RemoveMapping(var _, List<RemoveMappingOne> all) ->
                "unmap " + all.stream().map(one -> "" + one.moffset() / MIB).collect(Collectors.joining(" "));
            case FileRequest.Write(var _, var in, var _) -> "WRITE %d+%d".formatted(in.offset() - size, in.size());
            case FileRequest.Fallocate(var _, var in) -> "FALLOCATE %d+%d".formatted(in.offset() - size, in.length());
            default -> request.opcode().name();
        };
    }

    @Override
    public void close() throws ErrnoException {
        try (share) {
            machine.close();
        }
    }
}
