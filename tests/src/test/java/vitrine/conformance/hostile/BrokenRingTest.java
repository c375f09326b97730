package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.virtqueue.Descriptor.INDIRECT;
import static vitrine.virtqueue.Descriptor.NEXT;
import static vitrine.virtqueue.Descriptor.WRITE;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.guest.hostile.LyingDriver;
import vitrine.guest.hostile.Returned;
import vitrine.virtqueue.Descriptor;

/// Lies about descriptors and indexes, all the way through to the next request.
class BrokenRingTest {

    private static final int GETATTR = 56; // bytes
    private static final int REPLY = 200;

    @TempDir
    Path temporary;

    /// virtio 1.3, 2.7.4 to 2.7.5. The element comes back with nothing written, and the queue goes
    /// on.
    ///
    /// Field report: virtme-ng #334.
    ///
    /// Caught: `push` of the head left out (the driver waits for ever). The checks of `ChainWalk`
    /// are for
    /// `BrokenChainTest`.
    @ParameterizedTest
    @EnumSource
    void aBrokenChainComesBackEmpty(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            LyingDriver driver = attack.driver();
            Map<String, List<Descriptor>> chains = new LinkedHashMap<>(directLies(driver.request(), driver.reply()));
            chains.putAll(indirectLies(driver));
            for (Map.Entry<String, List<Descriptor>> lie : chains.entrySet()) {
                driver.place(Attack.bytes(attack.getattr()));

                Returned returned = driver.send(lie.getValue()).orElseThrow();

                assertEquals(0, returned.head(), lie.getKey());
                assertEquals(0, returned.written(), lie.getKey());
                assertTrue(driver.isUntouchedFrom(0), lie.getKey());
                attack.verifyNothingIsHarmed();
            }
        }
    }

    /// virtio 1.3, 2.7.4: any cut is allowed, and an empty buffer is none. An indirect table is
    /// served where none was negotiated, as other devices do.
    ///
    /// Caught: an empty buffer looked up in `ChainWalk.add`; a buffer that is looked for in one
    /// region only.
    @ParameterizedTest
    @EnumSource
    void aStrangeChainIsServed(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            LyingDriver driver = attack.driver();
            for (Map.Entry<String, List<Descriptor>> strange : strange(driver).entrySet()) {
                driver.place(Attack.bytes(attack.getattr()));

                Returned returned = driver.send(strange.getValue()).orElseThrow();

                assertEquals(120, returned.written(), strange.getKey());
            }
            attack.verifyNothingIsHarmed();
        }
    }

    /// A chain without anything to read, or without anything at all, is no request and no harm.
    ///
    /// Field report: probe: chain without a request.
    @ParameterizedTest
    @EnumSource
    void aChainWithoutARequestComesBackEmpty(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            LyingDriver driver = attack.driver();
            for (List<Descriptor> chain : List.of(
                    List.of(d(driver.reply(), REPLY, WRITE, 0)),
                    List.of(d(0, 0, 0, 0)),
                    List.of(d(-1, 0, WRITE, 0)),
                    List.of(d(driver.request(), 39, NEXT, 1), d(driver.reply(), REPLY, WRITE, 0)))) {
                assertTrue(driver.send(chain).orElseThrow().isEmpty(), chain::toString);
            }
            attack.verifyNothingIsHarmed();
        }
    }

    /// virtio 1.3, 2.7.13: a ring that contradicts itself cannot be believed any more. That queue
    /// stops and says so; the other one goes on, and a new start makes the queue work again.
    ///
    /// Field report: probe: index that jumps.
    ///
    /// Caught: the check of the head removed, and that of the index; `work.error().signal()`
    /// removed.
    @ParameterizedTest
    @EnumSource
    void aBrokenRingStopsItsQueueAlone(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            for (int head : new int[] {Victim.QUEUE_SIZE, 1000, 0x8000, 0xffff}) {
                attack.driver().offer(head);
                verifyStoppedAlone(attack);
            }
            for (int ahead : new int[] {Victim.QUEUE_SIZE + 1, 500, 0x8000, 0xfff0}) {
                Returned last = attack.ask(attack.getattr());
                assertEquals(0, last.errno());
                attack.driver().claim(attack.driver().nextAvail() + ahead & 0xffff);
                verifyStoppedAlone(attack);
            }
        }
    }

    private static void verifyStoppedAlone(Attack attack) throws Exception {
        assertTrue(attack.victim.isGivenUp(1));
        assertEquals(
                0,
                attack.victim
                        .queue(0)
                        .ask(Attack.bytes(attack.getattr()), Attack.ROOM)
                        .errno());

        attack.victim.restart(1);
        attack.verifyNothingIsHarmed();
    }

    private static Map<String, List<Descriptor>> directLies(long in, long out) {
        Descriptor reply = d(out, REPLY, WRITE, 0);
        long end = Victim.RAM_END;
        Map<String, List<Descriptor>> lies = new LinkedHashMap<>();
        lies.put("a circle of one", List.of(d(in, GETATTR, NEXT, 0)));
        lies.put("a circle of two", List.of(d(in, GETATTR, NEXT, 1), d(out, REPLY, NEXT | WRITE, 0)));
        lies.put("a circle later", List.of(d(in, 40, NEXT, 1), d(in, 16, NEXT, 2), d(out, REPLY, NEXT | WRITE, 1)));
        lies.put("next beyond the table", List.of(d(in, GETATTR, NEXT, Victim.QUEUE_SIZE), reply));
        lies.put("next far beyond", List.of(d(in, GETATTR, NEXT, 0xffff), reply));
        lies.put("writable first", List.of(d(out, REPLY, NEXT | WRITE, 1), d(in, GETATTR, 0, 0)));
        lies.put("a request nowhere", List.of(d(end, GETATTR, NEXT, 1), reply));
        lies.put("a request beyond all", List.of(d(1L << 48, GETATTR, NEXT, 1), reply));
        lies.put("a request at the end", List.of(d(end - 40, GETATTR, NEXT, 1), reply));
        lies.put("a request that wraps", List.of(d(-20, GETATTR, NEXT, 1), reply));
        lies.put("a request that wraps far", List.of(d(-1, 0xffff_ffffL, NEXT, 1), reply));
        lies.put("a reply nowhere", List.of(d(in, GETATTR, NEXT, 1), d(end, REPLY, WRITE, 0)));
        lies.put("a reply that wraps", List.of(d(in, GETATTR, NEXT, 1), d(-8, REPLY, WRITE, 0)));
        lies.put("a reply as large as can be", List.of(d(in, GETATTR, NEXT, 1), d(out, 0xffff_ffffL, WRITE, 0)));
        return lies;
    }

    /// The table's memory is written here, so each lie is about another entry of it.
    private static Map<String, List<Descriptor>> indirectLies(LyingDriver driver) {
        long table = driver.table();
        driver.placeTable(List.of(
                d(table, 32, INDIRECT, 0), // 0: a table in a table
                d(driver.request(), GETATTR, NEXT, 0), // 1: a circle
                d(driver.request(), GETATTR, NEXT, 2), // 2: next beyond its table
                d(driver.reply(), REPLY, WRITE, 0)));
        Map<String, List<Descriptor>> lies = new LinkedHashMap<>();
        lies.put("a table in a table", List.of(d(table, 32, INDIRECT, 0)));
        lies.put("a circle in a table", List.of(d(table + 16, 16, INDIRECT, 0)));
        lies.put("next beyond the indirect table", List.of(d(table + 32, 32, INDIRECT, 0)));
        lies.put("a table of no bytes", List.of(d(table, 0, INDIRECT, 0)));
        lies.put("a table of 15 bytes", List.of(d(table, 15, INDIRECT, 0)));
        lies.put("a table of 33 bytes", List.of(d(table, 33, INDIRECT, 0)));
        lies.put("a table at an odd address", List.of(d(table + 1, 32, INDIRECT, 0)));
        lies.put("a table nowhere", List.of(d(Victim.RAM_END, 32, INDIRECT, 0)));
        lies.put("a table across regions", List.of(d(Victim.SEAM - 16, 32, INDIRECT, 0)));
        lies.put("a table as large as can be", List.of(d(table, 0xffff_fff0L, INDIRECT, 0)));
        lies.put("a table and more", List.of(d(table + 48, 16, INDIRECT | NEXT, 1), d(driver.reply(), 4, WRITE, 0)));
        return lies;
    }

    private static Map<String, List<Descriptor>> strange(LyingDriver driver) {
        long in = driver.request();
        long out = driver.reply();
        driver.placeTable(List.of(d(in, GETATTR, NEXT, 1), d(out, REPLY, WRITE, 0)));
        Map<String, List<Descriptor>> strange = new LinkedHashMap<>();
        strange.put(
                "cut within the header",
                List.of(d(in, 3, NEXT, 1), d(in + 3, 10, NEXT, 2), d(in + 13, 43, NEXT, 3), d(out, REPLY, WRITE, 0)));
        strange.put(
                "cut within the reply's header",
                List.of(d(in, GETATTR, NEXT, 1), d(out, 5, NEXT | WRITE, 2), d(out + 5, 195, WRITE, 0)));
        strange.put(
                "an empty buffer in between",
                List.of(
                        d(in, GETATTR, NEXT, 1),
                        d(-1, 0, NEXT | WRITE, 2),
                        d(-1, 0, NEXT, 3),
                        d(out, REPLY, WRITE, 0)));
        strange.put("an indirect table", List.of(d(driver.table(), 32, INDIRECT, 0)));
        strange.put("a piece, then a table", List.of(d(in, 0, NEXT, 1), d(driver.table(), 32, INDIRECT, 0)));
        strange.put("a reply across regions", List.of(d(in, GETATTR, NEXT, 1), d(Victim.SEAM - 20, REPLY, WRITE, 0)));
        strange.put("unknown flags", List.of(d(in, GETATTR, NEXT | 0xfff8, 1), d(out, REPLY, WRITE | 0xfff0, 77)));
        return strange;
    }

    private static Descriptor d(long address, long length, int flags, int next) {
        return new Descriptor(address, length, flags, next);
    }
}
