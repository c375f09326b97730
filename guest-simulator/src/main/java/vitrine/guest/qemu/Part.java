package vitrine.guest.qemu;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// One of the two processes of a run, QEMU or the daemon, with the last lines it wrote.
final class Part implements AutoCloseable {

    private static final int LINES_KEPT = 200;
    private static final int LINES_SHOWN = 15;
    private static final int SECONDS_TO_END = 3;
    private static final int MILLIS_TO_READ = 1000;

    // What the firmware sends to clear a terminal: ESC c, ESC [ ... letter, and the like.
    private static final Pattern CONTROL =
            Pattern.compile("\\x1b(\\[[0-9;?=]*[A-Za-z]|[^\\[])|[\\x00-\\x08\\x0b-\\x1f]");

    /// How messages call a process, and what it writes: "QEMU", "the guest's console".
    record Title(String process, String output) {}

    private final Title title;
    private final Process process;
    private final AtExit running;
    private final Thread reader;
    private final Deque<String> lastLines = new ArrayDeque<>();

    private Part(Title title, Process process, Consumer<String> log) throws IOException {
        this.title = title;
        this.process = process;
        this.running = AtExit.end(process);
        this.reader = Thread.ofPlatform().daemon().name(title.output).start(() -> read(log));
    }

    /// Starts a process without input; its output and errors are read as one stream of lines.
    static Part start(Title title, List<String> command, Consumer<String> log) throws GuestFailedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(new File("/dev/null"))
                    .start();
            return new Part(title, process, log);
        } catch (IOException cannot) {
            throw new GuestFailedException(title.process + " does not start: " + cannot.getMessage());
        }
    }

    Process process() {
        return process;
    }

    /// "the daemon ended with status 1", "the daemon was ended by signal 9"; with its last words.
    String ending() throws InterruptedException {
        reader.join(MILLIS_TO_READ); // the lines it wrote just before
        int status = process.waitFor();
        // The JDK reports a signal as 128 + its number.
        String how = status > 128 ? " was ended by signal " + (status - 128) : " ended with status " + status;
        return title.process + how + "\n" + lastWords();
    }

    /// The last lines, quoted for a message; or that there were none.
    String lastWords() {
        List<String> lines = lines();
        return lines.isEmpty()
                ? "(" + title.output + " is empty)"
                : title.output + ", last lines:\n  "
                        + String.join("\n  ", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    }

    /// The last line with this in it, of those that were kept.
    Optional<String> lineWith(String text) {
        return lines().reversed().stream().filter(line -> line.contains(text)).findFirst();
    }

    private List<String> lines() {
        synchronized (lastLines) {
            return List.copyOf(lastLines);
        }
    }

    /// Waits until it has ended by itself and was read to its end: its status, or -1 if it stays.
    int waitFor() throws InterruptedException {
        if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
            return -1;
        }
        reader.join(MILLIS_TO_READ);
        return process.exitValue();
    }

    /// Ends the process, and those it started: first politely, then not.
    @Override
    public void close() {
        try {
            running.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Consumer<String> log) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String text = CONTROL.matcher(line).replaceAll("").stripTrailing();
                if (!text.isEmpty()) {
                    keep(text);
                    log.accept(text);
                }
            }
        } catch (IOException _) {
            // the process was ended while we read
        }
    }

    private void keep(String line) {
        synchronized (lastLines) {
            lastLines.addLast(line);
            if (lastLines.size() > LINES_KEPT) {
                lastLines.removeFirst();
            }
        }
    }
}
