package vitrine.guest.qemu;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Something that was done to the host, and is undone when it is closed or the JVM ends: a folder,
/// a mount, a process.
///
/// Ctrl-C and SIGTERM unwind no stack: of a JVM only its hooks run then, side by side and in no
/// order. So there is one hook for all of these, and what was done last is undone first, as a mount
/// before the folder that it is in.
public final class AtExit implements AutoCloseable {

    private static final int SECONDS_TO_END = 3;
    private static final Deque<AtExit> DONE = new ArrayDeque<>(); // the last first
    private static boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(AtExit::undoAll, "undo"));
    }

    private final Undoing undoing;
    private boolean undone;

    /// How it is undone.
    public interface Undoing {
        /// Undoes it.
        void run() throws IOException;
    }

    private AtExit(Undoing undoing) {
        this.undoing = undoing;
    }

    /// Has something undone, some time.
    ///
    /// @throws IOException if the JVM is ending; then it is undone by now
    public static AtExit undo(Undoing undoing) throws IOException {
        AtExit one = new AtExit(undoing);
        synchronized (DONE) {
            if (!ending) {
                DONE.push(one);
                return one;
            }
        }
        one.close();
        throw new IOException("interrupted");
    }

    /// Has a process ended, and those that it has started: first politely, then not.
    ///
    /// @throws IOException likewise
    public static AtExit end(Process process) throws IOException {
        return undo(() -> {
            List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                    .toList();
            all.forEach(ProcessHandle::destroy);
            try {
                process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            all.forEach(ProcessHandle::destroyForcibly);
        });
    }

    /// Undoes it, once; who comes second waits until it is undone. What fails is tried again when
    /// the JVM ends.
    @Override
    public synchronized void close() throws IOException {
        if (undone) {
            return;
        }
        undoing.run();
        undone = true;
        synchronized (DONE) {
            DONE.remove(this);
        }
    }

    private static void undoAll() {
        for (AtExit last = next(); last != null; last = next()) {
            try {
                last.close();
            } catch (IOException | RuntimeException _) {
                // there is nobody left to tell, and there are others
            }
        }
    }

    private static AtExit next() {
        synchronized (DONE) {
            ending = true;
            return DONE.poll();
        }
    }
}
