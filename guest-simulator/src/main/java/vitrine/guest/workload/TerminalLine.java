package vitrine.guest.workload;

import java.util.function.LongFunction;

/// A line at the bottom of the terminal that says how far a long run is. Where there is no
/// terminal, there is no line.
public final class TerminalLine implements AutoCloseable {

    private static final int MILLIS = 500;
    private static final String CLEAR = "\r\u001b[K";

    private final Thread writer;

    private TerminalLine(Thread writer) {
        this.writer = writer;
    }

    /// Begins to write.
    ///
    /// @param text what to write, by the milliseconds since 1970
    /// @param when `always`, `never`, or `auto`: on a terminal
    public static TerminalLine every(LongFunction<String> text, String when) {
        boolean terminal = System.console() != null && System.console().isTerminal();
        if (when.equals("never") || when.equals("auto") && !terminal) {
            return new TerminalLine(null);
        }
        return new TerminalLine(Thread.ofPlatform().daemon().name("progress").start(() -> write(text)));
    }

    private static void write(LongFunction<String> text) {
        try {
            while (true) {
                Thread.sleep(MILLIS);
                System.err.print(CLEAR + text.apply(System.currentTimeMillis()));
                System.err.flush();
            }
        } catch (InterruptedException _) {
            System.err.print(CLEAR);
            System.err.flush();
        }
    }

    /// Clears the line.
    @Override
    public void close() {
        if (writer == null) {
            return;
        }
        writer.interrupt();
        try {
            writer.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
