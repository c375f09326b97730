package vitrine.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCases;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import vitrine.trace.BrokenCaptureException;
import vitrine.trace.Capture;
import vitrine.trace.CaptureReader;
import vitrine.trace.CaptureWriter;
import vitrine.trace.TraceEvent;

/// The capture file: what goes in comes out, and a damaged file says so.
class CaptureTest {

    /// vitrine.trace, "The capture file".
    ///
    /// Seen to catch: `result` and `errno` of a host call written in the other order.
    @Property(tries = 300)
    void everyEventComesBackEqual(@ForAll("traces") List<TraceEvent> events) throws IOException {
        byte[] file = capture(events);

        Capture capture = read(file);

        assertEquals(events, capture.events());
        assertEquals(Map.of("seed", "42", "scenario", "a=b"), capture.about());
        assertTrue(capture.note().isEmpty());
    }

    /// A daemon may be killed at any time: wherever the file ends, all whole events are read, and
    /// the reader is told. Only within the header there is nothing to tell.
    ///
    /// Seen to catch: the end of the file taken for the end of the capture.
    @Property(tries = 300)
    void fileCutAnywhereKeepsItsWholeEvents(@ForAll("traces") List<TraceEvent> events, @ForAll int where)
            throws IOException {
        byte[] file = capture(events);
        int headers = capture(List.of()).length - STATISTICS;
        int cut = headers + Math.floorMod(where, file.length - headers);

        Capture capture = read(Arrays.copyOf(file, cut));

        assertEquals(events.subList(0, capture.events().size()), capture.events());
        assertTrue(capture.note().isPresent());
        int nextLength = capture.events().size() == events.size() ? STATISTICS : packetLength(events, capture);
        int read = capture(capture.events()).length - STATISTICS;
        assertTrue(cut - read < nextLength, "a whole event was not read");
    }

    private static final int STATISTICS = 52; // bytes of the block that ends a capture

    private static int packetLength(List<TraceEvent> events, Capture capture) throws IOException {
        int without = capture(capture.events()).length;
        return capture(events.subList(0, capture.events().size() + 1)).length - without;
    }

    /// Whatever happens to a byte, reading ends with events or with a sentence, never with a bug.
    ///
    /// Seen to catch: a length that is believed before it is compared with what is there.
    @Property(tries = 500)
    void damagedFileIsRefusedOrRead(@ForAll("traces") List<TraceEvent> events, @ForAll int where, @ForAll byte value)
            throws IOException {
        byte[] file = capture(events);
        file[Math.floorMod(where, file.length)] = value;

        try {
            read(file);
        } catch (BrokenCaptureException e) {
            assertFalse(e.getMessage().isBlank());
        }
    }

    @Example
    void foreignFilesAreRefusedWithASentence() {
        ByteBuffer big = ByteBuffer.allocate(28).putInt(0x0A0D0D0A).putInt(28).putInt(0x1A2B3C4D);
        ByteBuffer foreign = ByteBuffer.allocate(28)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x0A0D0D0A)
                .putInt(28)
                .putInt(0x1A2B3C4D)
                .putShort((short) 1)
                .putShort((short) 0)
                .putLong(-1)
                .putInt(28);

        assertEquals("the file is empty", refusal(new byte[0]));
        assertEquals("not a pcapng file", refusal("hello, world".getBytes(StandardCharsets.US_ASCII)));
        assertEquals("a pcapng file, but not one of Vitrine's (they are little endian)", refusal(big.array()));
        assertEquals("a pcapng file, but not one of Vitrine's (its header does not say so)", refusal(foreign.array()));
    }

    @Example
    void newerVersionIsRefusedWithASentence() throws IOException {
        byte[] file = capture(List.of());
        String text = new String(file, StandardCharsets.ISO_8859_1);
        file[text.indexOf("vitrine capture 1") + "vitrine capture ".length()] = '7';

        assertEquals("written by a newer Vitrine: capture version 7, this one reads up to 1", refusal(file));
    }

    @Provide
    static Arbitrary<List<TraceEvent>> traces() {
        return AnyEvent.any().list().ofMaxSize(8).edgeCases(EdgeCases.Config::none);
    }

    private static byte[] capture(List<TraceEvent> events) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (CaptureWriter writer = new CaptureWriter(file, 100, Map.of("seed", "42", "scenario", "a=b"))) {
            events.forEach(writer::add);
        }
        return file.toByteArray();
    }

    private static Capture read(byte[] file) throws IOException {
        return CaptureReader.read(new ByteArrayInputStream(file));
    }

    private static String refusal(byte[] file) {
        return assertThrows(BrokenCaptureException.class, () -> read(file)).getMessage();
    }
}
