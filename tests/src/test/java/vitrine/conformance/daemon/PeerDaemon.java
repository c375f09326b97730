package vitrine.conformance.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import vitrine.conformance.rules.Needs;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.Manners;
import vitrine.posix.ErrnoException;
import vitrine.posix.UnixSocket;

/// QEMU's C virtiofsd as a process, to be asked what ours is asked.
final class PeerDaemon implements AutoCloseable {

    private static final Path PROGRAM = Path.of("/usr/lib/qemu/virtiofsd");
    private static final long PATIENCE_SECONDS = 30;

    private final Process process;
    private final Path socket;

    private PeerDaemon(Process process, Path socket) {
        this.process = process;
        this.socket = socket;
    }

    /// Starts it for a share, with its socket in `directory` and these items in its `-o` list.
    static PeerDaemon serving(Path directory, Path share, String... list) throws IOException {
        Needs.file(PROGRAM.toString(), "install qemu-system-common of Debian 12");
        Needs.root();
        Path socket = directory.resolve("peer-socket");
        Files.deleteIfExists(socket);
        List<String> command = new ArrayList<>(
                List.of(PROGRAM.toString(), "-o", "source=" + share + ",sandbox=chroot", "--socket-path=" + socket));
        for (String item : list) {
            command.addAll(List.of("-o", item));
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("peer-output").toFile())
                .start();
        return new PeerDaemon(process, socket);
    }

    /// Connects as QEMU 7.2 does, as soon as it listens.
    Frontend connect() throws ErrnoException, FrontendException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try {
                UnixSocket connected = UnixSocket.connect(DaemonProcess.SYS, socket);
                return Frontend.connect(DaemonProcess.SYS, connected, FrontendOptions.of(Manners.QEMU_7_2, 4L << 20));
            } catch (ErrnoException e) {
                if (System.nanoTime() > deadline || !process.isAlive()) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
