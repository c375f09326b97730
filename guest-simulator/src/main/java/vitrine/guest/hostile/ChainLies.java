package vitrine.guest.hostile;

import static vitrine.virtqueue.Descriptor.INDIRECT;
import static vitrine.virtqueue.Descriptor.NEXT;
import static vitrine.virtqueue.Descriptor.WRITE;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import vitrine.guest.frontend.GuestRam;
import vitrine.memory.NotGuestMemoryException;
import vitrine.virtqueue.Descriptor;

/// Descriptors that are no chain, and some that are a strange one (virtio 1.3, 2.7.4 and 2.7.5).
final class ChainLies {

    private static final int GETATTR = 56; // bytes
    private static final int REPLY = 200;
    private static final long NOWHERE = Session.RAM_END;
    private static final long WINDOW = 1L << 38; // above memory, where QEMU puts the device's

    private ChainLies() {}

    /// What a chain looks like for a driver that has its memory at two places.
    private interface Chain {
        Descriptor[] of(long in, long out);
    }

    static List<Lie> all() {
        return Stream.of(direct(), indirect(), strange()).flatMap(List::stream).toList();
    }

    private static Lie lie(String claim, String right, Chain chain) {
        return new Lie(
                "Chains",
                claim,
                right,
                session -> session.send(
                        chain.of(session.driver().request(), session.driver().reply())));
    }

    /// An indirect table, and the one descriptor that leads to it.
    private static Lie table(String claim, String right, Chain table, Chain descriptor) {
        return new Lie("Chains", claim, right, session -> {
            LyingDriver driver = session.driver();
            driver.placeTable(List.of(table.of(driver.request(), driver.reply())));
            return session.send(descriptor.of(driver.table(), driver.reply()));
        });
    }

    private static List<Lie> direct() {
        return List.of(
                lie("nothing to read", Outcome.EMPTY, (_, out) -> chain(d(out, REPLY, WRITE, 0))),
                lie("nothing at all", Outcome.EMPTY, (_, _) -> chain(d(0, 0, 0, 0))),
                lie(
                        "a circle",
                        Outcome.EMPTY,
                        (in, out) -> chain(d(in, 40, NEXT, 1), d(in, 16, NEXT, 2), d(out, REPLY, NEXT | WRITE, 1))),
                lie(
                        "a next that there is not",
                        Outcome.EMPTY,
                        (in, _) -> chain(d(in, GETATTR, NEXT, Session.QUEUE_SIZE))),
                lie(
                        "a request behind the end of memory",
                        Outcome.EMPTY,
                        (_, out) -> chain(d(NOWHERE, GETATTR, NEXT, 1), d(out, REPLY, WRITE, 0))),
                lie(
                        "a reply across the end of memory",
                        Outcome.EMPTY,
                        (in, _) -> chain(d(in, GETATTR, NEXT, 1), d(NOWHERE - 100, REPLY, WRITE, 0))),
                lie(
                        "a reply that wraps",
                        Outcome.EMPTY,
                        (in, _) -> chain(d(in, GETATTR, NEXT, 1), d(-8, REPLY, WRITE, 0))),
                lie(
                        "a reply where a DAX window might be",
                        Outcome.EMPTY,
                        (in, _) -> chain(d(in, GETATTR, NEXT, 1), d(WINDOW, REPLY, WRITE, 0))),
                lie(
                        "something to read behind what is to be written",
                        Outcome.EMPTY,
                        (in, out) -> chain(d(out, REPLY, NEXT | WRITE, 1), d(in, GETATTR, 0, 0))));
    }

    private static List<Lie> indirect() {
        Chain honest = (in, out) -> chain(d(in, GETATTR, NEXT, 1), d(out, REPLY, WRITE, 0));
        return List.of(
                table(
                        "a table in a table",
                        Outcome.EMPTY,
                        (_, _) -> chain(d(0, 32, INDIRECT, 0)),
                        (table, _) -> chain(d(table, 16, INDIRECT, 0))),
                table(
                        "a circle in a table",
                        Outcome.EMPTY,
                        (in, _) -> chain(d(in, GETATTR, NEXT, 0)),
                        (table, _) -> chain(d(table, 16, INDIRECT, 0))),
                table("a table of no bytes", Outcome.EMPTY, honest, (table, _) -> chain(d(table, 0, INDIRECT, 0))),
                table("a table of 33 bytes", Outcome.EMPTY, honest, (table, _) -> chain(d(table, 33, INDIRECT, 0))),
                table(
                        "a table behind the end of memory",
                        Outcome.EMPTY,
                        honest,
                        (_, _) -> chain(d(NOWHERE, 32, INDIRECT, 0))),
                table(
                        "a table of 4 GiB",
                        Outcome.EMPTY,
                        honest,
                        (table, _) -> chain(d(table, 0xffff_fff0L, INDIRECT, 0))),
                table(
                        "a table, and descriptors behind it",
                        Outcome.EMPTY,
                        honest,
                        (table, out) -> chain(d(table, 32, INDIRECT | NEXT, 1), d(out, 4, WRITE, 0))),
                table(
                        "a table that was not agreed on",
                        Outcome.ANSWERED,
                        honest,
                        (table, _) -> chain(d(table, 32, INDIRECT, 0))));
    }

    /// No lies: any cut is allowed.
    private static List<Lie> strange() {
        return List.of(
                lie(
                        "one byte each (allowed)",
                        Outcome.ANSWERED,
                        (in, out) -> Stream.concat(
                                        IntStream.range(0, GETATTR).mapToObj(i -> d(in + i, 1, NEXT, i + 1)),
                                        Stream.of(d(out, REPLY, WRITE, 0)))
                                .toArray(Descriptor[]::new)),
                lie(
                        "empty buffers in between (allowed)",
                        Outcome.ANSWERED,
                        (in, out) -> chain(
                                d(in, GETATTR, NEXT, 1),
                                d(in, 0, NEXT, 2),
                                d(out, 0, NEXT | WRITE, 3),
                                d(out, REPLY, WRITE, 0))),
                new Lie("Chains", "a request across two regions (allowed)", Outcome.ANSWERED, session -> {
                    placeAcrossTheSeam(session);
                    return session.offer(
                            d(Session.SEAM - GETATTR / 2, GETATTR, NEXT, 1),
                            d(session.driver().reply(), REPLY, WRITE, 0));
                }));
    }

    /// Puts the halves of a GETATTR right before and behind the border.
    private static void placeAcrossTheSeam(Session session) {
        MemorySegment request = MemorySegment.ofArray(session.getattr());
        long half = request.byteSize() / 2;
        GuestRam ram = session.frontend().ram();
        try {
            ram.guest(Session.SEAM - half, half).copyFrom(request.asSlice(0, half));
            ram.guest(Session.SEAM, half).copyFrom(request.asSlice(half));
        } catch (NotGuestMemoryException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Descriptor[] chain(Descriptor... descriptors) {
        return descriptors;
    }

    private static Descriptor d(long address, long length, int flags, int next) {
        return new Descriptor(address, length, flags, next);
    }
}
