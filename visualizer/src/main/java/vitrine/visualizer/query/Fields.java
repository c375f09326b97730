package vitrine.visualizer.query;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import vitrine.posix.Errno;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Signal;
import vitrine.visualizer.anatomy.Anatomy;
import vitrine.visualizer.query.Field.Type;
import vitrine.visualizer.query.Field.Values;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// All fields: those of every request and of every event, and whatever a request or a reply says.
final class Fields {

    private static final Map<String, Field> KNOWN = new LinkedHashMap<>();
    private static final Set<String> IN_BYTES =
            Set.of("size", "offset", "len", "length", "foffset", "moffset", "max_write", "max_readahead", "data_len");
    private static final Map<Signal, String> SIGNALS = Map.of(
            Signal.KICK, "kick",
            Signal.KICK_SUPPRESSED, "kick.spared",
            Signal.KICK_SEEN, "kick.seen",
            Signal.CALL, "call",
            Signal.CALL_SUPPRESSED, "call.spared",
            Signal.CALL_SEEN, "call.seen");
    private static final Set<String> IN_MESSAGES = Anatomy.fieldNames();

    static {
        ofRequests();
        ofEvents();
        ofKinds();
    }

    private Fields() {}

    private static void ofRequests() {
        request("req", Type.TRUTH, (run, row) -> story(run, row).isRequest());
        request("op", Type.TEXT, (run, row) -> text(story(run, row).opcode()));
        request("unique", Type.NUMBER, (run, row) -> (double) story(run, row).unique());
        request("queue", Type.NUMBER, (run, row) -> (double) story(run, row).queue());
        request("head", Type.NUMBER, (run, row) -> (double) story(run, row).head());
        request("syscall", Type.NUMBER, (run, row) -> (double) story(run, row).call());
        request("failed", Type.TRUTH, (run, row) -> story(run, row).error() != 0);
        request("error", Type.TEXT, (run, row) -> errno(story(run, row).error()));
        times("lat", true, (run, row) -> latency(story(run, row)));
        request(
                "killpriv",
                Type.TRUTH,
                (run, row) -> said(run, row, "write_flags").contains("KILL_SUIDGID")
                        || said(run, row, "open_flags").contains("KILL_SUIDGID")
                        || said(run, row, "valid").contains("KILL_SUIDGID"));
        request("nodeid", Type.NUMBER, (run, row) -> sender(run, row, 0));
        request("uid", Type.NUMBER, (run, row) -> sender(run, row, 1));
        request("gid", Type.NUMBER, (run, row) -> sender(run, row, 2));
        request("pid", Type.NUMBER, (run, row) -> sender(run, row, 3));
    }

    private static void ofEvents() {
        event("event", Type.NUMBER, (run, n) -> (double) n);
        times("time", false, (run, n) -> (double) run.nanos(n) - run.begin());
        event("actor", Type.TEXT, (run, n) -> run.actor(n).title());
        event("host.syscall", Type.TEXT, (run, n) -> run.kind(n) == Kind.HOST_CALL ? run.name(n) : null);
        event("host.error", Type.TEXT, (run, n) -> run.kind(n) == Kind.HOST_CALL ? errno(run.error(n)) : null);
        times(
                "host.time",
                false,
                (run, n) -> run.event(n) instanceof TraceEvent.HostCall call
                        ? (double) call.outcome().nanos()
                        : null);
        event(
                "host.result",
                Type.NUMBER,
                (run, n) -> run.event(n) instanceof TraceEvent.HostCall call
                        ? (double) call.outcome().result()
                        : null);
        event("syscall.name", Type.TEXT, (run, n) -> run.kind(n) == Kind.GUEST_CALL_ENTERED ? run.name(n) : null);
        event("decision.rule", Type.TEXT, (run, n) -> run.kind(n) == Kind.GUEST_DECISION ? run.name(n) : null);
        event(
                "decision.outcome",
                Type.TEXT,
                (run, n) -> run.event(n) instanceof TraceEvent.GuestDecision decision ? decision.outcome() : null);
        event("control.name", Type.TEXT, (run, n) -> run.kind(n) == Kind.CONTROL_MESSAGE ? run.name(n) : null);
    }

    /// What an event is.
    private static void ofKinds() {
        ofKind("call.entered", Kind.GUEST_CALL_ENTERED);
        ofKind("call.returned", Kind.GUEST_CALL_RETURNED);
        ofKind("queued", Kind.REQUEST_QUEUED);
        ofKind("popped", Kind.CHAIN_POPPED);
        ofKind("refused", Kind.CHAIN_REFUSED);
        ofKind("decoded", Kind.REQUEST_DECODED);
        ofKind("replied", Kind.REPLY_GIVEN);
        ofKind("pushed", Kind.CHAIN_PUSHED);
        ofKind("host", Kind.HOST_CALL);
        ofKind("decision", Kind.GUEST_DECISION);
        ofKind("ring", Kind.RING_ACCESS);
        ofKind("control", Kind.CONTROL_MESSAGE);
        ofKind("dropped", Kind.DROPPED);
        SIGNALS.forEach((signal, name) -> event(
                name,
                Type.TRUTH,
                (run, n) -> run.event(n) instanceof TraceEvent.Notified notified && notified.signal() == signal));
    }

    private static void request(String name, Type type, Values values) {
        KNOWN.put(name, new Field(name, true, type, Unit.NONE, values));
    }

    private static void event(String name, Type type, Values values) {
        KNOWN.put(name, new Field(name, false, type, Unit.NONE, values));
    }

    private static void times(String name, boolean ofRequests, Values values) {
        KNOWN.put(name, new Field(name, ofRequests, Type.NUMBER, Unit.TIME, values));
    }

    private static void ofKind(String name, Kind kind) {
        event(name, Type.TRUTH, (run, n) -> run.kind(n) == kind);
    }

    /// The field that is true of a notification.
    static String signal(Run run, int n) {
        return run.event(n) instanceof TraceEvent.Notified notified ? SIGNALS.get(notified.signal()) : "";
    }

    /// The field of this name, if there is one in the language or in any message.
    static Optional<Field> named(String name) {
        Field known = KNOWN.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        return IN_MESSAGES.contains(name)
                ? Optional.of(new Field(name, true, Type.TEXT, unitOf(name), (run, row) -> text(said(run, row, name))))
                : Optional.empty();
    }

    private static Unit unitOf(String name) {
        return IN_BYTES.contains(name) ? Unit.BYTES : Unit.NONE;
    }

    /// The names of all fields that are not in messages, for help and completion.
    static Set<String> names() {
        return KNOWN.keySet();
    }

    /// The name that somebody may have meant.
    static Optional<String> like(String name, Set<String> candidates) {
        return candidates.stream()
                .filter(candidate -> distance(candidate, name) <= Math.max(2, name.length() / 3))
                .min(Comparator.comparingInt(candidate -> distance(candidate, name)));
    }

    static Set<String> all() {
        Set<String> names = new TreeSet<>(KNOWN.keySet());
        names.addAll(IN_MESSAGES);
        return names;
    }

    /// How many letters one has to change (Levenshtein).
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int corner = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = corner + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                corner = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }

    private static Story story(Run run, int row) {
        return run.stories().get(row);
    }

    private static String text(String value) {
        return value.isEmpty() ? null : value;
    }

    private static String errno(int errno) {
        return errno == 0 ? "OK" : Errno.name(errno).toUpperCase(Locale.ROOT);
    }

    private static Double latency(Story story) {
        boolean isWhole = story.waits() != Story.NEVER && story.pushed() != Story.NEVER;
        return isWhole ? (double) story.pushed() - story.waits() : null;
    }

    private static Double sender(Run run, int row, int which) {
        return run.stories()
                .request(row)
                .map(n -> run.sender(n))
                .map(sender -> (double)
                        switch (which) {
                            case 0 -> sender.nodeid();
                            case 1 -> sender.uid();
                            case 2 -> sender.gid();
                            default -> sender.pid();
                        })
                .orElse(null);
    }

    /// What the request says, else what its reply does.
    private static String said(Run run, int row, String field) {
        return run.stories()
                .request(row)
                .flatMap(n -> run.field(n, field))
                .or(() -> run.stories().reply(row).flatMap(n -> run.field(n, field)))
                .orElse("");
    }
}
