package vitrine.visualizer.timeline;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import vitrine.trace.Capture;
import vitrine.trace.CaptureReader;
import vitrine.trace.Trace;
import vitrine.trace.TraceEvent;

/// Reads a capture file into a run: event by event, so that it is never in memory twice, and no
/// more of it than there is room for.
final class Reading {

    private static final int BUFFER = 1 << 16;
    private static final int ASK_EVERY = 1 << 14; // events
    private static final double MOST_OF_THE_HEAP = 0.5; // joins, spans and states want the rest

    /// A stream that knows how far it is.
    private static final class Counted extends FilterInputStream {
        long count;

        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int one = super.read();
            count += one < 0 ? 0 : 1;
            return one;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            count += Math.max(0, read);
            return read;
        }
    }

    /// Takes events until there is no more room, and counts those that come then.
    private static final class Room implements Trace {
        private final RunBuilder builder = new RunBuilder();
        private final long most =
                (long) (MOST_OF_THE_HEAP * Runtime.getRuntime().maxMemory());
        private final Runnable alive;
        private boolean isFull;
        private long seen;

        Room(Runnable alive) {
            this.alive = alive;
        }

        @Override
        public void add(TraceEvent event) {
            if (seen++ % ASK_EVERY == 0) {
                isFull |= builder.bytes() > most;
                alive.run();
            }
            if (!isFull) {
                builder.add(event);
            }
        }

        Optional<String> note() {
            return isFull
                    ? Optional.of("only the first " + builder.size() + " of " + seen
                            + " events are here, more do not fit into this process's "
                            + (Runtime.getRuntime().maxMemory() >> 20) + " MiB of memory")
                    : Optional.empty();
        }
    }

    private Reading() {}

    static Run of(Path file, DoubleConsumer progress) throws IOException {
        long size = Math.max(1, Files.size(file));
        try (Counted counted = new Counted(Files.newInputStream(file))) {
            Room room = new Room(() -> progress.accept((double) counted.count / size));
            Capture capture = CaptureReader.read(new BufferedInputStream(counted, BUFFER), room);
            return room.builder.run(capture.about(), room.note().or(capture::note));
        }
    }
}
