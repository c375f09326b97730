package vitrine.conformance.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.conformance.qemu.TestedDaemon;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.frontend.FrontendException;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;

/// The kinds of machine there are, and how each comes to its device.
enum Kind {
    STEPPED,
    IN_PROCESS,
    OUR_DAEMON,
    C_DAEMON,
    RUST_DAEMON;

    /// A machine, and what is to be closed after it.
    record Running(Machine machine, Device device) implements AutoCloseable {

        @Override
        public void close() throws ErrnoException {
            try (device) {
                machine.close();
            }
        }
    }

    /// What is behind the queues.
    interface Device extends AutoCloseable {
        @Override
        void close();
    }

    /// Builds a machine.
    ///
    /// @param shared the directory of the host that its guest sees
    /// @param directory where a daemon may have its socket
    Running start(Path shared, Path directory, MachineOptions options) throws Exception {
        return switch (this) {
            case STEPPED -> {
                PassthroughFs fileSystem = share(shared);
                yield new Running(Machine.stepped(fileSystem, options), fileSystem::close);
            }
            case IN_PROCESS -> {
                PassthroughFs fileSystem = share(shared);
                yield new Running(Machine.inProcess(fileSystem, options), fileSystem::close);
            }
            case OUR_DAEMON -> {
                DaemonProcess daemon = DaemonProcess.serving(directory.resolve("ours"), shared, "--xattr");
                yield new Running(Machine.connect(daemon.socket(), options), daemon::close);
            }
            case C_DAEMON -> connectTo(TestedDaemon.C, shared, directory.resolve("socket"), options);
            case RUST_DAEMON -> connectTo(TestedDaemon.RUST, shared, directory.resolve("socket"), options);
        };
    }

    private static PassthroughFs share(Path shared) throws ErrnoException {
        PassthroughOptions options = PassthroughOptions.DEFAULT.with(Feature.XATTR);
        return new PassthroughFs(Twins.SYS, shared.toString(), options);
    }

    private static Running connectTo(TestedDaemon daemon, Path shared, Path socket, MachineOptions options)
            throws IOException, InterruptedException, FrontendException, ErrnoException {
        Process process = new ProcessBuilder(daemon.program().command(socket, shared))
                .redirectErrorStream(true)
                .redirectOutput(socket.resolveSibling("output").toFile())
                .start();
        Device ending = () -> process.destroyForcibly().onExit().join();
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try {
                return new Running(Machine.connect(socket, options), ending);
            } catch (ErrnoException e) {
                if (System.nanoTime() > limit || !process.isAlive() && Files.exists(socket)) {
                    process.destroyForcibly();
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }
}
