package vitrine.conformance.trace;

import java.util.ArrayList;
import java.util.List;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.RawBytes;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Descriptor;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceEvent.Signal;

/// Hand-made events: 100 ns pass from each to the next.
final class Events {

    private static final int QUEUE = 1;

    private final List<TraceEvent> events = new ArrayList<>();
    private long now = 1_000_000_000;

    List<TraceEvent> list() {
        return List.copyOf(events);
    }

    /// Any small event; its queue index tells which.
    static TraceEvent numbered(int number) {
        return new TraceEvent.ChainPushed(new Stamp(number, Actor.DAEMON, "q", Keys.ofQueue(number)), 0);
    }

    /// The device finds its ring empty, long before all else.
    static TraceEvent idleLook() {
        Stamp at = new Stamp(1, Actor.DAEMON, "request-1", Keys.ofQueue(QUEUE));
        return new TraceEvent.RingAccess(at, TraceEvent.Access.LOAD_ACQUIRE_16, TraceEvent.Area.AVAILABLE, 2, 0);
    }

    /// A write of 4096 bytes that drops the set-ID bits, from the program to the host and back.
    Events killprivWrite() {
        Keys call = Keys.ofGuestCall(5);
        Keys chain = new Keys(QUEUE, 7, 42, 0);
        Keys request = Keys.ofUnique(42);
        add(new TraceEvent.GuestCallEntered(at(Actor.GUEST_PROGRAM, call), "pwrite64", "3, 4096 bytes, 0"));
        add(new TraceEvent.GuestDecision(
                at(Actor.GUEST_KERNEL, call),
                "kill set-ID bits",
                "ask the daemon to",
                List.of(new Field("killpriv_v2", "yes"), new Field("cap_fsetid", "no"))));
        add(access(Actor.DRIVER, TraceEvent.Access.STORE_16, TraceEvent.Area.AVAILABLE, 4, 7));
        add(access(Actor.DRIVER, TraceEvent.Access.STORE_RELEASE_16, TraceEvent.Area.AVAILABLE, 2, 1));
        add(new TraceEvent.RequestQueued(
                at(Actor.DRIVER, chain.withGuestCall(5)),
                "WRITE",
                true,
                List.of(out(40), out(40), out(4096), in(16), in(8))));
        add(new TraceEvent.Notified(at(Actor.DRIVER, Keys.ofQueue(QUEUE)), Signal.KICK));
        add(access(Actor.DAEMON, TraceEvent.Access.LOAD_ACQUIRE_16, TraceEvent.Area.AVAILABLE, 2, 1));
        add(new TraceEvent.ChainPopped(at(Actor.DAEMON, chain), 4176, 24, 5));
        add(new TraceEvent.RequestDecoded(
                at(Actor.DAEMON, request),
                "WRITE",
                new TraceEvent.Sender(3, 1000, 1000, 77),
                List.of(
                        new Field("fh", "1"),
                        new Field("offset", "0"),
                        new Field("size", "4096"),
                        new Field("write_flags", "KILL_SUIDGID"),
                        new Field("data", "4096 bytes")),
                RawBytes.EMPTY));
        hostCall("capset", "-FSETID", 0, 0);
        hostCall("pwritev2", "fd 12, 4096 bytes, offset 0", 4096, 0);
        add(new TraceEvent.ReplyGiven(
                at(Actor.DAEMON, request), 0, 8, List.of(new Field("size", "4096")), RawBytes.EMPTY));
        add(new TraceEvent.ChainPushed(at(Actor.DAEMON, chain), 24));
        add(new TraceEvent.Notified(at(Actor.DAEMON, Keys.ofQueue(QUEUE)), Signal.CALL_SUPPRESSED));
        add(new TraceEvent.GuestCallReturned(at(Actor.GUEST_PROGRAM, call), "pwrite64", 4096, 0));
        return this;
    }

    /// A lookup that finds nothing, as a daemon sees it that serves somebody else's guest.
    Events failedLookup() {
        Keys request = Keys.ofUnique(44);
        Keys chain = new Keys(QUEUE, 9, 44, 0);
        add(new TraceEvent.Notified(at(Actor.DAEMON, Keys.ofQueue(QUEUE)), Signal.KICK_SEEN));
        add(new TraceEvent.ChainPopped(at(Actor.DAEMON, chain), 46, 144, 4));
        add(new TraceEvent.RequestDecoded(
                at(Actor.DAEMON, request),
                "LOOKUP",
                new TraceEvent.Sender(1, 0, 0, 80),
                List.of(new Field("name", "\"hello\"")),
                RawBytes.EMPTY));
        now += 2_000;
        add(new TraceEvent.HostCall(
                at(Actor.HOST, request),
                "openat",
                "fd 5, \"hello\", O_PATH|O_NOFOLLOW",
                new TraceEvent.Outcome(-1, 2, 2_000)));
        add(new TraceEvent.ReplyGiven(at(Actor.DAEMON, request), 2, 0, List.of(), RawBytes.EMPTY));
        add(new TraceEvent.ChainPushed(at(Actor.DAEMON, chain), 16));
        add(new TraceEvent.Notified(at(Actor.DAEMON, Keys.ofQueue(QUEUE)), Signal.CALL));
        return this;
    }

    /// A read that the guest's page cache answers: no request at all.
    Events cachedRead() {
        Keys call = Keys.ofGuestCall(6);
        add(new TraceEvent.GuestCallEntered(at(Actor.GUEST_PROGRAM, call), "read", "3, 100 bytes"));
        add(new TraceEvent.GuestDecision(at(Actor.GUEST_KERNEL, call), "page cache", "hit", List.of()));
        add(new TraceEvent.GuestCallReturned(at(Actor.GUEST_PROGRAM, call), "read", 100, 0));
        return this;
    }

    /// A message of vhost-user and its answer.
    Events askedForFeatures() {
        add(new TraceEvent.ControlMessage(
                at(Actor.FRONT_END, Keys.NONE), TraceEvent.Direction.TO_BACK_END, "GET_FEATURES", ""));
        add(new TraceEvent.ControlMessage(
                at(Actor.DAEMON, Keys.NONE), TraceEvent.Direction.TO_FRONT_END, "GET_FEATURES", "value 0x1"));
        return this;
    }

    /// As of the sandbox, and of the handshake: before any request.
    Events hostCallOfNobody() {
        now += 1_200;
        add(new TraceEvent.HostCall(
                at(Actor.HOST, Keys.NONE), "unshare", "CLONE_NEWNS", new TraceEvent.Outcome(0, 0, 1_200)));
        return this;
    }

    Events gap(long count) {
        add(new TraceEvent.Dropped(at(Actor.DAEMON, Keys.NONE), count));
        return this;
    }

    private void hostCall(String name, String arguments, long result, int errno) {
        now += 1_200;
        add(new TraceEvent.HostCall(
                at(Actor.HOST, Keys.ofUnique(42)), name, arguments, new TraceEvent.Outcome(result, errno, 1_200)));
    }

    private TraceEvent access(Actor actor, TraceEvent.Access access, TraceEvent.Area area, long offset, long value) {
        return new TraceEvent.RingAccess(at(actor, Keys.ofQueue(QUEUE)), access, area, offset, value);
    }

    private static Descriptor out(long length) {
        return new Descriptor(length, false);
    }

    private static Descriptor in(long length) {
        return new Descriptor(length, true);
    }

    private Stamp at(Actor actor, Keys keys) {
        now += 100;
        return new Stamp(now, actor, actor == Actor.DAEMON ? "request-1" : "guest", keys);
    }

    private void add(TraceEvent event) {
        events.add(event);
    }
}
