package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.Manners;
import vitrine.guest.hostile.LyingDriver;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;

/// The daemon as a process of its own, as whoever runs virtual machines starts it: with the Java
/// and the classes of the test.
public final class DaemonProcess implements AutoCloseable {

    /// The host, for the test's side.
    public static final Syscalls SYS = new Syscalls(Libc.load());

    /// How a front end usually connects.
    static final FrontendOptions USUAL = FrontendOptions.of(Manners.QEMU_11, 4L << 20);

    private static final long PATIENCE_SECONDS = 30;

    private final Process process;
    private final Path socket;
    private final Path out;
    private final Path err;

    private DaemonProcess(Process process, Path directory) {
        this.process = process;
        socket = directory.resolve("socket");
        out = directory.resolve("out");
        err = directory.resolve("err");
    }

    /// Starts the daemon with these arguments and nothing else. What it prints goes to files in
    /// `directory`.
    public static DaemonProcess run(Path directory, String... arguments) {
        return start(directory, command(arguments));
    }

    /// Starts it by this command.
    static DaemonProcess start(Path directory, List<String> command) {
        try {
            Files.createDirectories(directory);
            Process process = new ProcessBuilder(command)
                    .redirectOutput(directory.resolve("out").toFile())
                    .redirectError(directory.resolve("err").toFile())
                    .start();
            return new DaemonProcess(process, directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Starts the daemon for a share, with its socket in `directory`, and waits until it listens.
    public static DaemonProcess serving(Path directory, Path share, String... more) {
        return serving(directory, command(arguments(directory, share, more)));
    }

    /// The same with no more open files than these, even for a root that could have more.
    public static DaemonProcess servingWithin(int openFiles, Path directory, Path share, String... more) {
        List<String> command = new ArrayList<>(List.of("prlimit", "--nofile=" + openFiles + ":" + openFiles));
        command.addAll(List.of("setpriv", "--bounding-set=-sys_resource"));
        command.addAll(command(arguments(directory, share, more)));
        return serving(directory, command);
    }

    /// The same with these variables in its environment.
    public static DaemonProcess servingWith(Map<String, String> environment, Path directory, Path share) {
        List<String> command = new ArrayList<>(List.of("env"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(command(arguments(directory, share)));
        return serving(directory, command);
    }

    /// The same by this command.
    static DaemonProcess serving(Path directory, List<String> command) {
        DaemonProcess daemon = start(directory, command);
        daemon.await("the daemon listens", () -> daemon.err().contains("waiting for a front end"));
        return daemon;
    }

    /// The arguments for a share, with a socket in `directory`.
    static String[] arguments(Path directory, Path share, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--shared-dir=" + share,
                "--socket-path=" + directory.resolve("socket"),
                "--seccomp=kill")); // a call that is needed and not allowed is to be seen
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    /// The command that runs the daemon.
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                JarredClassPath.get(),
                "vitrine.daemon.Main"));
        command.addAll(List.of(arguments));
        return command;
    }

    /// Connects as QEMU does and shakes hands.
    public Frontend connect() throws ErrnoException, FrontendException {
        return connect(USUAL);
    }

    /// The same in another way.
    public Frontend connect(FrontendOptions options) throws ErrnoException, FrontendException {
        return Frontend.connect(SYS, UnixSocket.connect(SYS, socket), options);
    }

    /// A driver of one of the queues that the front end has started.
    public static LyingDriver driver(Frontend frontend, FrontendQueue queue) {
        return driver(frontend.ram(), queue);
    }

    /// A driver of a queue that somebody else has started.
    public static LyingDriver driver(GuestRam ram, FrontendQueue queue) {
        return new LyingDriver(queue.ring().split(), ram, new Bells(queue), Duration.ofSeconds(PATIENCE_SECONDS));
    }

    /// Waits until an eventfd is signalled, and takes the signal.
    ///
    /// @return false if it is not within that time
    public static boolean isSignalled(EventFd event, Duration limit) {
        try {
            return SYS.poll(List.of(event.fd()), (int) limit.toMillis() + 1) != 0 && event.drain() > 0;
        } catch (ErrnoException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    private record Bells(FrontendQueue queue) implements Doorbell {

        @Override
        public void kick() {
            queue.kick().signal();
        }

        @Override
        public boolean awaitCall(Duration limit) {
            return isSignalled(queue.call(), limit);
        }
    }

    /// Where it listens.
    public Path socket() {
        return socket;
    }

    /// All that it has printed.
    public String out() {
        return text(out);
    }

    /// All that it has complained about.
    public String err() {
        return text(err);
    }

    /// Whether it is still there.
    public boolean isAlive() {
        return process.isAlive();
    }

    /// Asks it to end: SIGTERM.
    public void terminate() {
        process.destroy();
    }

    /// The number of its process.
    public long pid() {
        return process.pid();
    }

    /// Waits for its end.
    ///
    /// @return its exit code
    public int exitCode() {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the daemon does not end; it says: " + err());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Waits until something is so.
    public void await(String what, BooleanSupplier isSo) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!isSo.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new AssertionError(
                        "not so: " + what + (process.isAlive() ? "" : "; it has ended") + "; it says: " + err());
            }
            pause();
        }
    }

    /// It has ended so, and well: no socket is left, nothing was printed that nobody asked for, and
    /// no mistake of ours was the reason.
    void verifyEnded(int exitCode) {
        assertEquals(exitCode, exitCode(), this::err);
        assertEquals("", out());
        assertFalse(Files.exists(socket), "the socket is still there");
        assertFalse(err().contains("\tat "), err());
    }

    /// One of its threads, as `/proc` shows it.
    ///
    /// @param begin how its name begins
    Path thread(String begin) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            return tasks.filter(task -> name(task).startsWith(begin))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException _) {
            return ""; // it has ended
        }
    }

    /// How many file descriptors it has.
    public long descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            return open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Ends it, whatever it does.
    @Override
    public void close() {
        process.destroyForcibly();
        exitCode();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
