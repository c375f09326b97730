package vitrine.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import vitrine.trace.CaptureReader;
import vitrine.trace.CaptureWriter;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceList;

/// A trace that cannot keep up counts what it loses, shows where, and never makes anybody wait.
class GapTest {

    /// A disk that accepts the header and then nothing until it is let go.
    private static final class SlowDisk extends OutputStream {
        final ByteArrayOutputStream file = new ByteArrayOutputStream();
        final CountDownLatch reached = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        private int writes;

        @Override
        public void write(int b) {
            throw new AssertionError("bytes come in buffers");
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (++writes == 2) { // the first is the header
                reached.countDown();
                try {
                    mayGoOn.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            file.write(bytes, from, length);
        }
    }

    /// Seen to catch: the count of lost events reset when the gap itself found no room.
    @Test
    void lostEventsAreCountedWhereTheyAreMissing() throws Exception {
        SlowDisk disk = new SlowDisk();
        CaptureWriter writer = new CaptureWriter(disk, 4, Map.of());
        writer.add(Events.numbered(0));
        disk.reached.await(); // event 0 is being written; the queue is empty

        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            for (int i = 1; i < 100; i++) {
                writer.add(Events.numbered(i)); // 1 to 4 fit
            }
        });
        disk.mayGoOn.countDown();
        addOnceThereIsRoom(writer, disk);
        writer.close();

        List<TraceEvent> events = events(disk);
        List<TraceEvent> kept = IntStream.range(0, 5).mapToObj(Events::numbered).toList();
        assertEquals(kept, events.subList(0, 5));
        assertTrue(
                events.get(5) instanceof TraceEvent.Dropped(var _, long lost) && lost == 95,
                "not 95: " + events.get(5));
        assertEquals(List.of(Events.numbered(1000)), events.subList(6, events.size()));
    }

    private static void addOnceThereIsRoom(CaptureWriter writer, SlowDisk disk) throws Exception {
        while (events(disk).size() < 5) { // the writer flushes before it sleeps: then its queue is empty
            Thread.sleep(1);
        }
        writer.add(Events.numbered(1000));
    }

    private static List<TraceEvent> events(SlowDisk disk) throws IOException {
        return CaptureReader.read(new ByteArrayInputStream(disk.file.toByteArray()))
                .events();
    }

    /// Seen to catch: a last gap that nothing follows not being written.
    @Test
    void eventsLostAtTheEndAreCountedToo() throws Exception {
        SlowDisk disk = new SlowDisk();
        CaptureWriter writer = new CaptureWriter(disk, 4, Map.of());
        writer.add(Events.numbered(0));
        disk.reached.await();
        for (int i = 1; i < 10; i++) {
            writer.add(Events.numbered(i));
        }
        disk.mayGoOn.countDown();
        writer.close();

        List<TraceEvent> events = events(disk);
        assertEquals(6, events.size());
        assertTrue(events.getLast() instanceof TraceEvent.Dropped(var _, long lost) && lost == 5);
    }

    /// Seen to catch: a writer thread that ends at the first error, so that close() waits for ever.
    @Test
    void fullDiskIsReportedByCloseAndStopsNobody() throws Exception {
        OutputStream full = new OutputStream() {
            private boolean header = true;

            @Override
            public void write(int b) {}

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                if (!header) {
                    throw new IOException("No space left on device");
                }
                header = false;
            }
        };
        CaptureWriter writer = new CaptureWriter(full, 4, Map.of());

        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            for (int i = 0; i < 1000; i++) {
                writer.add(Events.numbered(i));
            }
            IOException failure = assertThrows(IOException.class, writer::close);
            assertEquals("No space left on device", failure.getMessage());
        });
    }

    @Test
    void listInMemoryIsBoundedToo() {
        TraceList list = new TraceList(2);
        for (int i = 0; i < 5; i++) {
            list.add(Events.numbered(i));
        }

        List<TraceEvent> events = list.events();
        assertEquals(3, events.size());
        assertTrue(events.getLast() instanceof TraceEvent.Dropped(var _, long lost) && lost == 3);
    }
}
