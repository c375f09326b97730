package vitrine.guest.qemu;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// One guest from power-on to power-off: the daemon, QEMU, the sockets between them, and their end.
///
/// Whatever happens arrives as an [Event] in one queue, and one thread takes it from there: what
/// the guest says on its control port, and that a process ended.
final class GuestRun implements AutoCloseable {

    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(10); // KVM needs one second
    private static final Duration POWER_OFF = Duration.ofSeconds(5);

    private static final String BOOTING = "booting";

    private static final Part.Title QEMU = new Part.Title("QEMU", "the guest's console");

    private sealed interface Event {
        /// A line from the guest's init, see the resource `init`.
        record Said(String line) implements Event {}

        record QemuEnded() implements Event {}

        record DaemonEnded() implements Event {}
    }

    /// What a run is about; `initramfs` holds the command.
    record Plan(Hardware hardware, GuestKernel kernel, byte[] initramfs, Share share, ShareServer daemon) {}

    private final Plan plan;
    private final Accelerator accelerator;
    private final GuestStreams streams;
    private final TemporaryFolder folder; // of the sockets and the initramfs, only for this run
    private final AtExit begun;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<GuestPort> ports = new ArrayList<>();
    private ShareServer.Running daemon;
    private Part qemu;
    private Instant started;
    private String doing = BOOTING; // for messages

    GuestRun(Plan plan, Accelerator accelerator, GuestStreams streams) throws IOException {
        this.plan = plan;
        this.accelerator = accelerator;
        this.streams = streams;
        this.folder = TemporaryFolder.named("vitrine-qemu-");
        this.begun = AtExit.undo(this::release);
    }

    /// Starts everything, waits until the guest has ended, and says how its command did.
    Result complete() throws GuestFailedException, IOException, InterruptedException {
        Path socket = folder.path().resolve("fs");
        startDaemon(socket);
        startQemu(socket);
        Duration mountedAfter = awaitMounted();
        int exitCode = exitCode(awaitSaid("exit "));
        return ended(exitCode, mountedAfter);
    }

    private void startDaemon(Path socket) throws GuestFailedException, IOException, InterruptedException {
        Path directory = plan.share.directory().toRealPath();
        streams.progress().accept("served by " + plan.daemon.shown(directory));
        daemon = plan.daemon.start(socket, directory, line -> streams.log().accept("daemon  " + line));
        daemon.whenEnded(() -> events.add(new Event.DaemonEnded()));
        daemon.awaitListening();
    }

    private void startQemu(Path socket) throws GuestFailedException, IOException {
        Path initramfs = Files.write(folder.path().resolve("initramfs"), plan.initramfs);
        List<String> command = new ArrayList<>(QemuProgram.find(plan.hardware.qemu())
                .command(plan.hardware, accelerator, plan.kernel.image(), initramfs));
        command.addAll(QemuProgram.share(plan.share, socket));
        List<GuestPort.Use> uses = List.of( // the order is the one in `init`
                this::listen,
                GuestPort.copyTo(streams.out()),
                GuestPort.copyTo(streams.err()),
                GuestPort.copyFrom(streams.in()));
        for (GuestPort.Use use : uses) {
            GuestPort port = new GuestPort(ports.size() + 1, folder.path());
            ports.add(port);
            port.start(use);
            command.addAll(QemuProgram.port(port.number(), port.path()));
        }
        started = Instant.now();
        qemu = Part.start(QEMU, command, line -> streams.log().accept("guest   " + line));
        qemu.process().onExit().thenRun(() -> events.add(new Event.QemuEnded()));
    }

    private void listen(SocketChannel control) throws IOException {
        BufferedReader lines = new BufferedReader(Channels.newReader(control, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            events.add(new Event.Said(line));
        }
    }

    private Duration awaitMounted() throws GuestFailedException, InterruptedException {
        awaitSaid("ready");
        doing = "mounting the share";
        awaitSaid("mounted");
        doing = "running the command";
        Duration mountedAfter = sinceStart();
        streams.progress().accept(String.format("mounted after %.1f s", mountedAfter.toMillis() / 1e3));
        return mountedAfter;
    }

    /// Waits for a line of the guest that begins so; anything else that happens is a failure.
    private String awaitSaid(String beginning) throws GuestFailedException, InterruptedException {
        while (true) {
            Duration left = limit().minus(sinceStart());
            Event event = events.poll(left.toMillis(), TimeUnit.MILLISECONDS);
            switch (event) {
                case Event.Said(String line)
                when line.startsWith(beginning) -> {
                    return line;
                }
                case Event.Said(String line)
                when line.startsWith("failed ") -> {
                    qemu.waitFor(); // the kernel's words come by another way, and may be later
                    throw new GuestFailedException("the guest cannot mount the share: "
                            + line.substring("failed ".length()) + "\n" + qemu.lastWords() + "\n" + daemon.lastWords());
                }
                case Event.Said _ -> {} // nothing we wait for
                case Event.DaemonEnded _ -> {
                    // When the guest dies the daemon follows, and this may be seen first.
                    if (!qemu.process().waitFor(500, TimeUnit.MILLISECONDS)) {
                        throw new GuestFailedException("while the guest was " + doing + ", " + daemon.ending());
                    }
                }
                case Event.QemuEnded _ -> {
                    ports.getFirst().drain(); // its last line may still be on the way
                    if (events.stream().noneMatch(Event.Said.class::isInstance)) {
                        String panic = qemu.lineWith("Kernel panic")
                                .map(line -> line + "\n")
                                .orElse("");
                        throw silent("the guest ended while " + doing + ": " + panic + qemu.ending());
                    }
                }
                case null ->
                    throw silent("given up after " + limit().toSeconds() + " s, with the guest still " + doing + "\n"
                            + qemu.lastWords());
            }
        }
    }

    private GuestFailedException silent(String message) {
        return !doing.equals(BOOTING) || accelerator != Accelerator.KVM
                ? new GuestFailedException(message)
                : new GuestFailedException.NoSignOfLife(message);
    }

    private Duration limit() {
        Duration timeout = plan.hardware.timeout();
        boolean onTrial = accelerator == Accelerator.KVM && doing.equals(BOOTING);
        return onTrial && timeout.compareTo(SIGN_OF_LIFE) > 0 ? SIGN_OF_LIFE : timeout;
    }

    private Duration sinceStart() {
        return Duration.between(started, Instant.now());
    }

    private static int exitCode(String line) {
        return Integer.parseInt(line.substring("exit ".length()).strip());
    }

    private Result ended(int exitCode, Duration mountedAfter) throws InterruptedException {
        qemu.process().waitFor(POWER_OFF.toMillis(), TimeUnit.MILLISECONDS);
        qemu.close(); // if it has not powered off; the ports end with it
        for (GuestPort port : ports) {
            port.drain();
        }
        Duration duration = sinceStart();
        return new Result(exitCode, "", "", mountedAfter, duration, daemon.waitFor());
    }

    /// Ends both processes and removes what the run left.
    @Override
    public void close() throws IOException {
        begun.close();
    }

    private void release() {
        if (qemu != null) {
            qemu.close();
        }
        if (daemon != null) {
            daemon.close();
        }
        try {
            for (GuestPort port : ports) {
                port.close();
            }
            folder.close();
        } catch (IOException left) {
            streams.log().accept("not removed: " + left.getMessage());
        }
    }
}
