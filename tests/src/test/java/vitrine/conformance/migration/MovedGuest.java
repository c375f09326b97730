package vitrine.conformance.migration;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.process.GuestProcess;
import vitrine.migration.MigrationOptions;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// A guest with one program, and daemons that it can move to.
final class MovedGuest implements AutoCloseable {

    static final Syscalls SYS = new Syscalls(Libc.load());

    final Machine machine;
    final GuestProcess program;
    private final List<PassthroughFs> served = new ArrayList<>();

    /// A guest of this directory.
    MovedGuest(Path directory, PassthroughOptions options) throws Exception {
        machine = Machine.inProcess(share(directory, options), MachineOptions.DEFAULT);
        program = machine.rootProgram();
    }

    /// Moves it to another daemon.
    void moveTo(Path directory, PassthroughOptions options) throws ErrnoException, FrontendException {
        machine.moveTo(share(directory, options));
    }

    private PassthroughFs share(Path directory, PassthroughOptions options) throws ErrnoException {
        PassthroughFs fs = new PassthroughFs(SYS, directory.toString(), options);
        served.add(fs);
        return fs;
    }

    /// Options of a daemon whose guest asks each time.
    static PassthroughOptions options(MigrationOptions migration) {
        return PassthroughOptions.DEFAULT.withCache(CachePolicy.NEVER).withMigration(migration);
    }

    static MigrationOptions by(MigrationOptions.Mode mode) {
        return new MigrationOptions(mode, MigrationOptions.OnError.ABORT, false, false);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws ErrnoException {
        machine.close();
        served.reversed().forEach(PassthroughFs::close);
    }
}
