package vitrine.guest.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import vitrine.guest.qemu.DaemonProcess;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;

/// A program that serves a folder of its own, one process for each front end.
final class StartedDaemon implements Listener {

    private static final long MILLIS_TO_END = 1000; // a core dump takes its time

    private final Syscalls sys;
    private final DaemonProgram program;
    private final Path folder;
    private DaemonProcess process;
    private int starts;

    StartedDaemon(Syscalls sys, DaemonProgram program, Path folder) throws IOException {
        this.sys = sys;
        this.program = program;
        this.folder = folder;
        Files.createDirectory(folder.resolve("share"));
    }

    @Override
    public Optional<UnixSocket> connect() throws GuestFailedException, IOException, InterruptedException {
        Path socket = folder.resolve("socket-" + starts++);
        process = DaemonProcess.start(program, socket, folder.resolve("share"), _ -> {});
        process.awaitListening();
        try {
            return Optional.of(UnixSocket.connect(sys, socket));
        } catch (ErrnoException e) {
            throw new GuestFailedException(socket + ": " + e.getMessage());
        }
    }

    @Override
    public boolean isThere() {
        return process.process().isAlive();
    }

    @Override
    public Optional<Outcome> ending() throws InterruptedException {
        OptionalInt status = process.statusWithin(MILLIS_TO_END);
        return status.isPresent() ? Optional.of(Outcome.ended(status.getAsInt())) : Optional.empty();
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
            process = null;
        }
    }
}
