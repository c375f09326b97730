package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.RemoveMappingOne;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.kernel.dax.ExtendingWrite;

/// Whatever programs do: with a DAX window, however small, they see what they see without one.
class DaxHistoryTest {

    private static final long RANGE = DaxGuest.RANGE;
    private static EndlessHost host;

    @AfterContainer
    static void unmount() {
        if (host != null) {
            host.close();
            host = null;
        }
    }

    /// What a program does; `toString` is how it reads.
    private record Step(String text, Deed deed) {
        @Override
        public String toString() {
            return text;
        }
    }

    private interface Deed {
        void on(DaxTwins twins) throws Exception;
    }

    /// The same results, the same bytes on the host, no byte of another file, not behind the end
    /// either: by system calls, and by mappings that stay while their file is truncated, renamed,
    /// unlinked, and changed or replaced by somebody on the host, as mmap(2) has it there. And
    /// guest, daemon and front end agree on what is in the window: all of it goes, before the guest
    /// forgets a file.
    ///
    /// Seen to catch: DaxRequests.setUp that always asks for the start of the file;
    /// InodeCache.release that leaves a file in the window; LinuxDax.partOf that reads on in the
    /// next slot.
    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void aWindowMakesNoDifference(
            @ForAll("histories") List<Step> history, @ForAll("windows") int ranges, @ForAll ExtendingWrite strategy)
            throws Exception {
        if (host == null) {
            host = EndlessHost.needed();
        }
        MachineOptions options = MachineOptions.DEFAULT.withDax(DaxMode.ALWAYS).withExtendingWrite(strategy);
        try (DaxTwins twins = new DaxTwins(host, ranges, options)) {
            twins.begin();
            for (Step step : history) {
                step.deed.on(twins);
            }
            twins.folders.requireSame();
            requireBalanced(twins.dax, ranges);
            twins.closeAll();
            requireBalanced(twins.dax, ranges);
            twins.dax.machine.kernel().close();
            assertEquals(0, twins.dax.window.pieces(), "after DESTROY");
            assertEquals(0, twins.dax.machine.window().orElseThrow().pieces(), "after DESTROY");
        }
    }

    /// What a slot shows.
    private record Shown(long nodeid, long offset, long length) {}

    /// Replays what the daemon was asked: a slot that is taken shows the same until it is free, and
    /// reaches into no other; each REMOVEMAPPING names exactly what is there, from its first byte
    /// to its last; nothing of a file is there when it is forgotten. What is left is what the front
    /// end has.
    private static void requireBalanced(DaxGuest guest, int ranges) {
        TreeMap<Long, Shown> slots = new TreeMap<>();
        for (FuseRequest request : guest.asked) {
            switch (request) {
                case DaxRequest.SetupMapping(var header, var in) -> {
                    Shown shown = new Shown(header.nodeid(), in.foffset(), in.len());
                    Shown before = slots.put(in.moffset(), shown);
                    assertEquals(before == null ? shown : before, shown, "a slot that was not free");
                    Map.Entry<Long, Shown> left = slots.lowerEntry(in.moffset());
                    assertEquals(true, left == null || left.getKey() + left.getValue().length <= in.moffset());
                    Long right = slots.higherKey(in.moffset());
                    assertEquals(true, right == null || in.moffset() + in.len() <= right);
                }
                case DaxRequest.RemoveMapping(var _, List<RemoveMappingOne> all) ->
                    all.forEach(one -> assertEquals(
                            one.len(),
                            Optional.ofNullable(slots.remove(one.moffset()))
                                    .map(Shown::length)
                                    .orElse(0L),
                            "a slot that was free already"));
                case InodeRequest.Forget forget -> {
                    long nodeid = forget.header().nodeid();
                    assertEquals(
                            false,
                            slots.values().stream().anyMatch(shown -> shown.nodeid == nodeid),
                            "forgotten in the window");
                }
                default -> {}
            }
        }
        assertEquals(slots.size(), guest.window.pieces());
        Map<Long, Long> lengths = new TreeMap<>();
        slots.forEach((offset, shown) -> lengths.put(offset, shown.length));
        assertEquals(lengths, guest.machine.window().orElseThrow().lengths());
        assertEquals(true, slots.size() <= ranges);
    }

    @Provide
    Arbitrary<Integer> windows() {
        return Arbitraries.of(1, 1, 2, 4, 8); // a window is a power of two
    }

    @Provide
    Arbitrary<List<Step>> histories() {
        Arbitrary<Integer> slot = Arbitraries.integers().between(0, DaxTwins.SLOTS - 1);
        Arbitrary<String> name = Arbitraries.of("a", "b");
        Arbitrary<Long> offset =
                Arbitraries.of(0L, 1L, 4095L, 4096L, RANGE - 1, RANGE, RANGE + 5000, 2 * RANGE - 3, 3 * RANGE);
        Arbitrary<Integer> length = Arbitraries.of(1, 10, 4096, 5000, 70_000);
        Arbitrary<Integer> flags = Arbitraries.of(0, 0, 01000, 02000); // O_TRUNC, O_APPEND
        Arbitrary<Integer> modes = Arbitraries.of(0, 1, 3, 16, 17);
        Arbitrary<Step> open = Combinators.combine(slot, name, flags)
                .as((in, at, with) ->
                        new Step("open %d \"%s\" 0%o".formatted(in, at, with), twins -> twins.open(in, at, with)));
        Arbitrary<Step> data = data(slot, offset, length);
        Arbitrary<Step> allocate = Combinators.combine(slot, modes, offset, length)
                .as((in, mode, at, size) -> new Step(
                        "fallocate %d mode %d, %d bytes at %d".formatted(in, mode, size, at),
                        twins -> twins.fallocate(in, mode, at, size)));
        Arbitrary<Integer> mapping = Arbitraries.integers().between(0, DaxTwins.MAPPINGS - 1);
        Arbitrary<Step> map = Combinators.combine(mapping, slot)
                .as((at, in) -> new Step("map %d, of %d".formatted(at, in), twins -> twins.map(at, in)));
        Arbitrary<Step> close = slot.map(in -> new Step("close " + in, twins -> twins.close(in)));
        return Arbitraries.frequencyOf(
                        Tuple.of(3, open),
                        Tuple.of(10, data),
                        Tuple.of(3, map),
                        Tuple.of(8, memory(mapping, offset, length)),
                        Tuple.of(3, others(name, offset, length)),
                        Tuple.of(2, allocate),
                        Tuple.of(1, names(name)),
                        Tuple.of(1, close))
                .list()
                .ofMinSize(20)
                .ofMaxSize(60);
    }

    private static Arbitrary<Step> names(Arbitrary<String> name) {
        return Combinators.combine(name, name, Arbitraries.of(true, false))
                .as((from, to, unlink) -> unlink
                        ? new Step("unlink " + from, twins -> twins.unlink(from))
                        : new Step("rename " + from + " " + to, twins -> twins.rename(from, to)));
    }

    private static Arbitrary<Step> data(Arbitrary<Integer> slot, Arbitrary<Long> offset, Arbitrary<Integer> length) {
        return Combinators.combine(
                        slot, offset, length, Arbitraries.of("pwrite", "append", "pread", "pread", "truncate"))
                .as((in, at, size, what) -> new Step("%s %d, %d bytes at %d".formatted(what, in, size, at), twins -> {
                    switch (what) {
                        case "pwrite" -> twins.pwrite(in, at, size);
                        case "append" -> twins.append(in, size);
                        case "pread" -> twins.pread(in, at, size);
                        default -> twins.truncate(in, at);
                    }
                }));
    }

    private static Arbitrary<Step> others(Arbitrary<String> name, Arbitrary<Long> offset, Arbitrary<Integer> length) {
        return Combinators.combine(
                        name, offset, length, Arbitraries.of("append", "append", "truncate", "zero", "replace"))
                .as((of, at, size, what) ->
                        new Step("on the host: %s %s, %d bytes at %d".formatted(what, of, size, at), twins -> {
                            switch (what) {
                                case "append" ->
                                    twins.onHost(
                                            of,
                                            (file, letter) -> file.write(
                                                    ByteBuffer.wrap(DaxTwins.filled(letter, size)), file.size()));
                                case "truncate" -> twins.onHost(of, (file, _) -> file.truncate(at));
                                case "zero" -> twins.onHost(of, (file, _) -> file.write(ByteBuffer.allocate(size), at));
                                default -> twins.replaceOnHost(of, size);
                            }
                        }));
    }

    private static Arbitrary<Step> memory(
            Arbitrary<Integer> mapping, Arbitrary<Long> offset, Arbitrary<Integer> length) {
        return Combinators.combine(mapping, offset, length, Arbitraries.of(true, false))
                .as((in, at, size, store) -> store
                        ? new Step(
                                "store %d, %d bytes at %d".formatted(in, size, at), twins -> twins.store(in, at, size))
                        : new Step(
                                "load %d, %d bytes at %d".formatted(in, size, at), twins -> twins.load(in, at, size)));
    }
}
