package vitrine.conformance.virtqueue;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.conformance.virtqueue.Bench.Setup;
import vitrine.guest.driver.GuestRange;
import vitrine.guest.driver.Used;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.RingFormat;

/// Driver and device on two processors, as fast as they can, neither ever sleeping. Every payload
/// must arrive whole, in both directions.
///
/// virtio 1.3, 2.7.13.3.1 and 2.7.8.2. The device knows which request comes next and the driver
/// what each reply must be; an entry, a descriptor or a byte read too early holds something that
/// was right a moment ago. Random descriptor order is what makes that visible.
///
/// Caught: B and C exchanged in `DriverQueue.add` (an old head); `writeDirect` and `writeIndirect`
/// moved behind C (old descriptors); 2 and 3 exchanged in `SplitDeviceQueue.push`.
class TwoThreadsTest {

    private static final int REQUESTS = 50_000;
    private static final int WORDS = 8;
    private static final int BYTES = 8 * WORDS;

    @ParameterizedTest(name = "{0} queue of {1}, indirect {2}")
    @CsvSource({
        "SPLIT, 2, true",
        "SPLIT, 16, true",
        "SPLIT, 128, true",
        "SPLIT, 8, false",
        "SPLIT, 128, false",
        "PACKED, 2, true",
        "PACKED, 100, true",
        "PACKED, 7, false",
        "PACKED, 128, false"
    })
    void everyPayloadArrivesWholeInBothDirections(RingFormat format, int size, boolean indirect) throws Exception {
        Bench bench = new Setup(format, size, true, indirect, 11L * size).build();

        try (ExecutorService device = Executors.newSingleThreadExecutor()) {
            Future<?> served = device.submit(() -> {
                serve(bench);
                return null;
            });
            try {
                request(bench, size, served);
                served.get(60, TimeUnit.SECONDS);
            } finally {
                device.shutdownNow();
            }
        }

        assertEquals(size, bench.driver.freeDescriptors());
    }

    private static void serve(Bench bench) throws Exception {
        Random random = new Random(3);
        int idle = 0;
        Deque<DescriptorChain> held = new ArrayDeque<>(); // not answered yet: answers come out of order
        for (long expected = 0; expected < REQUESTS && !Thread.interrupted(); ) {
            Optional<DescriptorChain> next = bench.device.pop();
            if (next.isPresent()) {
                for (int word = 0; word < WORDS; word++) {
                    assertEquals(mix(expected, word), word(next.get(), word), "request " + expected);
                }
                answer(next.get(), expected);
                expected++;
                if (random.nextBoolean()) {
                    held.addFirst(next.get());
                } else {
                    held.addLast(next.get());
                }
            } else {
                pause(++idle);
            }
            if (next.isEmpty() || held.size() > 3) {
                push(bench, held);
            }
        }
        push(bench, held);
    }

    private static void push(Bench bench, Deque<DescriptorChain> held) {
        while (!held.isEmpty()) {
            bench.device.push(held.removeFirst().head(), BYTES);
        }
    }

    private static void request(Bench bench, int size, Future<?> device) throws Exception {
        List<Slot> slots = new ArrayList<>(); // free memory for requests
        for (int i = 0; i < size; i++) {
            slots.add(new Slot(bench.ram.take(BYTES), bench.ram.take(BYTES)));
        }
        Slot[] inFlight = new Slot[REQUESTS];
        Random random = new Random(4);
        int sent = 0;
        int idle = 0;
        for (int answered = 0; answered < REQUESTS; ) {
            while (sent < REQUESTS && !slots.isEmpty()) {
                Slot slot = slots.get(slots.size() - 1);
                MemorySegment payload = bench.ram.segment(slot.request);
                for (int word = 0; word < WORDS; word++) {
                    payload.set(JAVA_LONG_UNALIGNED, 8L * word, mix(sent, word));
                }
                int cut = 8 * random.nextInt(1, WORDS);
                if (bench.driver
                        .add(slot.requestCutAt(cut), List.of(slot.reply), sent)
                        .isEmpty()) {
                    break;
                }
                inFlight[sent++] = slots.removeLast();
            }
            Optional<Used<Integer>> used = bench.driver.poll();
            if (used.isEmpty()) {
                if (device.isDone()) {
                    device.get(); // it failed: show why
                }
                pause(++idle);
                continue;
            }
            int number = used.get().token();
            MemorySegment reply = bench.ram.segment(inFlight[number].reply);
            for (int word = 0; word < WORDS; word++) {
                assertEquals(~mix(number, word), reply.get(JAVA_LONG_UNALIGNED, 8L * word), "reply " + number);
            }
            slots.add(inFlight[number]);
            answered++;
        }
    }

    /// Looks again at once, to come as close to the other side as possible; but there may be more
    /// threads than processors.
    private static void pause(int idle) {
        if (idle % 200 == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    private static void answer(DescriptorChain chain, long number) {
        MemorySegment reply = chain.writable().parts().getFirst();
        for (int word = 0; word < WORDS; word++) {
            reply.set(JAVA_LONG_UNALIGNED, 8L * word, ~mix(number, word));
        }
    }

    private static long word(DescriptorChain chain, int word) {
        long offset = 8L * word;
        for (MemorySegment part : chain.readable().parts()) {
            if (offset < part.byteSize()) {
                return part.get(JAVA_LONG_UNALIGNED, offset);
            }
            offset -= part.byteSize();
        }
        throw new AssertionError("a request of " + chain.readable().size() + " bytes");
    }

    private static long mix(long number, int word) {
        return (number * WORDS + word) * 0x9E3779B97F4A7C15L;
    }

    private record Slot(GuestRange request, GuestRange reply) {
        /// In two descriptors; the device may see them as one part, for they are neighbours.
        List<GuestRange> requestCutAt(int cut) {
            return List.of(
                    new GuestRange(request.address(), cut), new GuestRange(request.address() + cut, BYTES - cut));
        }
    }
}
