package vitrine.guest.workload;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.GuestStreams;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Share;
import vitrine.guest.qemu.ShareServer;

/// A real guest that stays on, and does one line of shell after the other.
///
/// Its command is a shell that reads lines from standard input. Behind the output of each it says
/// that it is done, in a line that nothing else says.
public final class BootedGuest implements AutoCloseable {

    private static final String DONE = "\u0001done ";
    private static final String SHELL =
            "echo \"" + DONE + "0\"; while read -r line; do (eval \"$line\") </dev/null 2>&1;"
                    + " code=$?; echo; echo \"" + DONE + "$code\"; done";

    private final OutputStream lines;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private Thread guest;
    private volatile String failure; // why it ended, if not by our will

    /// What a line of shell did.
    ///
    /// @param status its exit status
    /// @param output what it wrote, to either stream
    public record Answer(int status, String output) {}

    private BootedGuest(OutputStream lines) {
        this.lines = lines;
    }

    /// Boots it and waits until it has mounted the share, which is where it works.
    ///
    /// @throws IOException if it does not come so far
    public static BootedGuest boot(Hardware hardware, Share share, ShareServer daemon, Consumer<String> progress)
            throws IOException, InterruptedException {
        Pipe pipe = Pipe.open();
        BootedGuest booted = new BootedGuest(Channels.newOutputStream(pipe.sink()));
        GuestStreams streams = new GuestStreams(
                Channels.newInputStream(pipe.source()),
                booted.new Lines(),
                OutputStream.nullOutputStream(),
                _ -> {},
                progress);
        booted.guest = Thread.ofPlatform().daemon().name("booted-guest").start(() -> {
            try {
                new QemuGuest(hardware, share, daemon).run(SHELL, streams);
                booted.failure = "the guest has ended";
            } catch (GuestFailedException | IOException e) {
                booted.failure = e.getMessage();
            } catch (InterruptedException _) {
                booted.failure = "interrupted";
            }
            booted.said.add(DONE + "-1");
        });
        booted.answer();
        return booted;
    }

    /// Runs a line of shell.
    ///
    /// @throws IOException if the guest ends meanwhile; with its last words
    public Answer run(String line) throws IOException, InterruptedException {
        if (line.contains("\n")) {
            throw new IllegalArgumentException("more than one line");
        }
        lines.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        lines.flush();
        return answer();
    }

    private Answer answer() throws IOException, InterruptedException {
        StringBuilder output = new StringBuilder();
        String line = said.take();
        while (!line.startsWith(DONE)) {
            output.append(line).append('\n');
            line = said.take();
        }
        int status = Integer.parseInt(line.substring(DONE.length()));
        if (status < 0) {
            throw new IOException(failure);
        }
        return new Answer(status, output.toString().strip());
    }

    /// Switches it off.
    @Override
    public void close() throws IOException {
        lines.close();
        try {
            guest.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// What the guest writes, line by line.
    private final class Lines extends OutputStream {

        private final StringBuilder line = new StringBuilder();

        @Override
        public void write(int character) {
            if (character == '\n') {
                said.add(line.toString());
                line.setLength(0);
            } else {
                line.append((char) character);
            }
        }
    }
}
