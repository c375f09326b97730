package vitrine.trace;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/// A trace that goes to a capture file, written by a thread of its own.
///
/// The threads that serve the guest only put events into a bounded queue. When the disk is slower
/// than the guest, the queue fills up; events are then counted instead of kept, and the first event
/// that fits again is preceded by a [TraceEvent.Dropped] with that number.
public final class CaptureWriter implements Trace, Closeable {

    /// The version of the capture file that this class writes.
    public static final int VERSION = 1;

    /// How many events may wait for the disk: some tens of milliseconds of a busy guest.
    public static final int DEFAULT_CAPACITY = 65_536;

    /// How the first comment of a capture begins; the version follows.
    static final String SIGNATURE = "vitrine capture ";

    private static final TraceEvent END = new TraceEvent.Dropped(new Stamp(0, Actor.DAEMON, "", Keys.NONE), 0);

    private final BlockingQueue<TraceEvent> waiting;
    private final AtomicLong lost = new AtomicLong();
    private final OutputStream out;
    private final Thread writer;
    private volatile boolean closed;

    // Only the writer's thread touches these; close() reads them after it has ended.
    private IOException failure;
    private Stamp last = END.at();
    private long kept;
    private long lostInAll;

    /// Begins a capture on a stream, such as a socket; [#close] closes the stream.
    ///
    /// @param capacity how many events may wait to be written
    /// @param about what a reader should know of this run (scenario, seed, options), kept as text
    public CaptureWriter(OutputStream stream, int capacity, Map<String, String> about) throws IOException {
        this.waiting = new ArrayBlockingQueue<>(capacity);
        this.out = new BufferedOutputStream(stream, 1 << 16);
        out.write(Pcapng.sectionHeader(SIGNATURE + VERSION, about));
        for (Actor actor : Actor.values()) {
            out.write(Pcapng.interfaceDescription(actor));
        }
        out.flush();
        this.writer = Thread.ofPlatform().daemon().name("capture").start(this::write);
    }

    /// Begins a capture in a file; one that exists is overwritten.
    public static CaptureWriter open(Path file, Map<String, String> about) throws IOException {
        return new CaptureWriter(Files.newOutputStream(file), DEFAULT_CAPACITY, about);
    }

    @Override
    public void add(TraceEvent event) {
        if (closed) {
            return;
        }
        if (lost.get() > 0 && !markGap(event)) {
            return;
        }
        if (!waiting.offer(event)) {
            lost.incrementAndGet();
        }
    }

    /// Writes what still waits, says how much was lost, and closes the file.
    ///
    /// @throws IOException if anything could not be written, now or before
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            waiting.put(END); // the writer never stops taking, so there will be room
            writer.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the capture was being closed; its end is missing");
        }
        if (failure != null) {
            throw failure;
        }
    }

    /// Puts the gap where it belongs, before the first event that is kept again.
    private boolean markGap(TraceEvent next) {
        long count = lost.getAndSet(0);
        if (count == 0 || waiting.offer(TraceEvent.Dropped.insteadOf(next, count))) {
            return true;
        }
        lost.addAndGet(count + 1); // still no room: the next event is lost as well
        return false;
    }

    private void write() {
        try {
            for (TraceEvent event = take(); event != END; event = take()) {
                write(event);
            }
            long count = lost.getAndSet(0);
            if (count > 0) {
                write(new TraceEvent.Dropped(new Stamp(last.nanos(), last.actor(), last.thread(), Keys.NONE), count));
            }
            finish();
        } catch (InterruptedException _) {
            failure = new IOException("the thread that writes the capture was interrupted");
        }
    }

    /// Takes the next event. Before it sleeps, everything goes to the file, so that whoever reads
    /// the capture while it grows is not left behind.
    private TraceEvent take() throws InterruptedException {
        TraceEvent event = waiting.poll();
        if (event != null) {
            return event;
        }
        try {
            out.flush();
        } catch (IOException e) {
            fail(e);
        }
        return waiting.take();
    }

    private void write(TraceEvent event) {
        if (failure != null) {
            return; // the disk is full or gone: go on taking, or close() would wait for ever
        }
        try {
            out.write(Pcapng.packet(event.at(), EventEncoding.encode(event)));
            last = event.at();
            if (event instanceof TraceEvent.Dropped gap) {
                lostInAll += gap.events();
            } else {
                kept++;
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void finish() {
        try (out) {
            if (failure == null) {
                out.write(Pcapng.statistics(last.nanos(), kept, lostInAll));
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException e) {
        if (failure == null) {
            failure = e;
        }
    }
}
