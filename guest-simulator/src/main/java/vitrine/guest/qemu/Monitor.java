package vitrine.guest.qemu;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// QEMU's monitor: orders, a line of JSON each, and a line for an answer. Nothing is parsed but
/// what is looked for.
final class Monitor implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern STATUS = Pattern.compile("\"status\": \"([a-z-]+)\"");

    private final SocketChannel channel;
    private final BufferedReader lines;

    private Monitor(SocketChannel channel) {
        this.channel = channel;
        this.lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
    }

    /// QEMU's options for a monitor.
    static String[] options(Path socket) {
        return new String[] {"-qmp", "unix:" + socket + ",server=on,wait=off"};
    }

    /// Connects, as soon as QEMU listens.
    ///
    /// @param qemu for its last words, if it does not
    static Monitor connect(Path socket, Part qemu) throws GuestFailedException, IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end && qemu.process().isAlive()) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.connect(UnixDomainSocketAddress.of(socket));
                Monitor monitor = new Monitor(channel);
                monitor.lines.readLine(); // who it is
                monitor.execute("\"qmp_capabilities\"");
                return monitor;
            } catch (IOException _) {
                channel.close(); // not yet
                Thread.sleep(50);
            }
        }
        throw new GuestFailedException("QEMU's monitor does not answer\n" + qemu.lastWords());
    }

    /// Gives an order.
    ///
    /// @param order in JSON, the value of `execute` and what follows
    /// @return the answer
    /// @throws GuestFailedException if it is an error
    String execute(String order) throws GuestFailedException, IOException {
        channel.write(ByteBuffer.wrap(("{\"execute\": " + order + "}\n").getBytes(StandardCharsets.UTF_8)));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("{\"return\"")) {
                return line;
            }
            if (line.startsWith("{\"error\"")) {
                throw new GuestFailedException("QEMU does not " + order + ": " + line);
            }
        }
        throw new GuestFailedException("QEMU left instead of " + order);
    }

    /// From now on a guest has moved only when the other QEMU says so. Else the first one would not
    /// hear that its device could not take it.
    void waitForTheOther() throws GuestFailedException, IOException {
        String capability = "[{\"capability\": \"return-path\", \"state\": true}]";
        execute("\"migrate-set-capabilities\", \"arguments\": {\"capabilities\": " + capability + "}");
    }

    /// Has the guest move, and waits until it has.
    ///
    /// @param uri where to, as QEMU spells it
    /// @throws GuestFailedException with QEMU's words, if it does not
    void migrate(String uri) throws GuestFailedException, IOException, InterruptedException {
        execute("\"migrate\", \"arguments\": {\"uri\": \"" + uri + "\"}");
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            String answer = execute("\"query-migrate\"");
            Matcher status = STATUS.matcher(answer);
            switch (status.find() ? status.group(1) : "") {
                case "completed" -> {
                    return;
                }
                case "failed", "cancelled" -> throw new GuestFailedException("the guest does not move: " + answer);
                default -> Thread.sleep(50);
            }
        }
        throw new GuestFailedException("the guest does not come to an end of moving");
    }

    /// Waits until the guest has arrived, and lets it run: one that was stopped stays so.
    void resume() throws GuestFailedException, IOException, InterruptedException {
        while (execute("\"query-status\"").contains("\"inmigrate\"")) {
            Thread.sleep(50);
        }
        execute("\"cont\"");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
