package vitrine.visualizer.sheet;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import vitrine.posix.Errno;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Access;
import vitrine.trace.TraceEvent.Field;
import vitrine.visualizer.timeline.Difference.Verdict;
import vitrine.visualizer.timeline.Digest;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// Events in words: a few for the picture, a sentence for the caption and the screen reader.
public final class Wording {

    private static final List<String> TELLING = List.of("name", "new_name", "size", "offset", "valid", "mode");

    /// What rules call it, and what it is called elsewhere; the longer of two names first.
    private static final Map<String, String> TERMS = new TreeMap<>(Comparator.<String>reverseOrder());

    static {
        TERMS.putAll(Map.of(
                "no sec", "S_NOSEC",
                "cap fsetid", "CAP_FSETID",
                "fopen direct io", "FOPEN_DIRECT_IO",
                "o direct", "O_DIRECT",
                "killpriv", "HANDLE_KILLPRIV",
                "killpriv v2", "HANDLE_KILLPRIV_V2"));
    }

    private Wording() {}

    /// A few words about an event, for beside its arrow.
    public static String label(TraceEvent event) {
        return switch (event) {
            case TraceEvent.GuestCallEntered e -> e.name() + "(" + e.arguments() + ")";
            case TraceEvent.GuestCallReturned e -> "= " + result(e.result(), e.errno());
            case TraceEvent.GuestDecision e -> decided(e);
            case TraceEvent.RequestQueued e ->
                e.opcode() + ", " + count(e.descriptors().size(), "descriptor");
            case TraceEvent.RingAccess e -> access(e);
            case TraceEvent.Notified e -> signal(e.signal());
            case TraceEvent.ChainPopped e -> "take chain " + e.at().keys().head();
            case TraceEvent.ChainRefused e -> "refuse: " + e.why();
            case TraceEvent.ChainPushed e -> "give back, " + bytes(e.written());
            case TraceEvent.RequestDecoded e -> (e.opcode() + " " + telling(e.fields())).strip();
            case TraceEvent.ReplyGiven e -> "answer " + result(e.payload() < 0 ? 0 : e.payload(), e.error());
            case TraceEvent.HostCall e -> e.name() + "(" + shorter(e.arguments()) + ")";
            case TraceEvent.ControlMessage e -> e.name();
            case TraceEvent.Dropped e -> count(e.events(), "event") + " missing";
        };
    }

    /// A sentence about an event.
    public static String sentence(TraceEvent event) {
        return switch (event) {
            case TraceEvent.GuestCallEntered e -> "A program in the guest calls " + label(e) + ".";
            case TraceEvent.GuestCallReturned e ->
                "The system call " + e.name() + " comes back: " + result(e.result(), e.errno()) + ".";
            case TraceEvent.GuestDecision e -> "The guest's kernel decides, " + decided(e) + because(e.inputs());
            case TraceEvent.RequestQueued e ->
                "The driver puts " + e.opcode() + " into queue " + e.at().keys().queue() + ": chain "
                        + e.at().keys().head() + ", with "
                        + count(e.descriptors().size(), "descriptor")
                        + (e.indirect() ? " in a table of their own." : ".");
            case TraceEvent.RingAccess e -> who(e) + " " + access(e) + ".";
            case TraceEvent.Notified e -> notified(e);
            case TraceEvent.ChainPopped e ->
                "The daemon takes chain " + e.at().keys().head() + ": " + bytes(e.readable()) + " to read, "
                        + bytes(e.writable()) + " to write.";
            case TraceEvent.ChainRefused e -> "The daemon refuses a chain: " + e.why() + ".";
            case TraceEvent.ChainPushed e ->
                "The daemon gives chain " + e.at().keys().head() + " back, with " + bytes(e.written()) + " written.";
            case TraceEvent.RequestDecoded e -> "The daemon reads the request: " + label(e) + ".";
            case TraceEvent.ReplyGiven e ->
                e.error() != 0
                        ? "The answer is the error " + Errno.name(e.error()) + "."
                        : e.payload() < 0
                                ? "Nothing answers this request."
                                : "The request succeeds; " + bytes(e.payload()) + " follow the reply's header.";
            case TraceEvent.HostCall e ->
                "The host's kernel does " + label(e) + ": "
                        + result(e.outcome().result(), e.outcome().errno()) + ".";
            case TraceEvent.ControlMessage e ->
                (e.direction() == TraceEvent.Direction.TO_BACK_END ? "The front end says " : "The back end answers ")
                        + e.name()
                        + (e.summary().isEmpty() ? "." : ": " + e.summary() + ".");
            case TraceEvent.Dropped e -> "Here " + count(e.events(), "event") + " could not be kept.";
        };
    }

    private static String because(List<Field> inputs) {
        String text = inputs.stream()
                .flatMap(input -> input.name().equals("inputs")
                        ? Stream.of(input.value().split(", "))
                        : Stream.of(input.name() + " " + input.value()))
                .map(Wording::input)
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "." : ", because: " + text + ".";
    }

    private static String decided(TraceEvent.GuestDecision e) {
        return e.rule() + (e.rule().endsWith("?") ? " " : ": ") + outcome(e.outcome());
    }

    /// What came of a rule, as people say it: a set of nothing is nothing.
    public static String outcome(String outcome) {
        if (!outcome.startsWith("[")) {
            return outcome;
        }
        return outcome.equals("[]") ? "nothing" : outcome.substring(1, outcome.length() - 1);
    }

    /// An input of a rule, `no sec yes` for example, by the name that it has in Linux and in FUSE.
    public static String input(String input) {
        return TERMS.entrySet().stream()
                .filter(term -> input.equals(term.getKey()) || input.startsWith(term.getKey() + " "))
                .findFirst()
                .map(term -> term.getValue() + input.substring(term.getKey().length()))
                .orElse(input);
    }

    private static String notified(TraceEvent.Notified event) {
        String queue = " of queue " + event.at().keys().queue();
        return switch (event.signal()) {
            case KICK -> "The driver kicks: there is work in the ring" + queue + ".";
            case KICK_SUPPRESSED -> "The device is awake and wants no kick" + queue + ": one is spared.";
            case KICK_SEEN -> "The device wakes by the kick" + queue + ".";
            case CALL -> "The device calls: a reply is in the ring" + queue + ".";
            case CALL_SUPPRESSED -> "The driver looks by itself and wants no call" + queue + ": one is spared.";
            case CALL_SEEN -> "The driver wakes by the call" + queue + ".";
        };
    }

    private static String signal(TraceEvent.Signal signal) {
        return switch (signal) {
            case KICK -> "kick";
            case KICK_SUPPRESSED -> "kick spared";
            case KICK_SEEN -> "wakes by the kick";
            case CALL -> "call";
            case CALL_SUPPRESSED -> "call spared";
            case CALL_SEEN -> "wakes by the call";
        };
    }

    private static String who(TraceEvent event) {
        String title = event.at().actor().title();
        return "The " + title;
    }

    private static String access(TraceEvent.RingAccess e) {
        if (e.access() == Access.FULL_FENCE) {
            return "puts a full fence between two accesses";
        }
        String verb = e.access().name().startsWith("STORE") ? "stores " : "loads ";
        String order = e.access() == Access.LOAD_ACQUIRE_16
                ? " (acquire)"
                : e.access() == Access.STORE_RELEASE_16 ? " (release)" : "";
        return verb + e.value() + " at +" + e.offset() + " of "
                + e.area().name().toLowerCase(Locale.ROOT) + order;
    }

    /// The fields that people ask for, in a row.
    private static String telling(List<Field> fields) {
        return fields.stream()
                .filter(field ->
                        TELLING.contains(field.name()) && !field.value().equals("0"))
                .map(field -> field.name().endsWith("name") ? field.value() : field.name() + " " + field.value())
                .collect(Collectors.joining(" "));
    }

    private static String shorter(String arguments) {
        return arguments.replaceAll("\"/proc/self/fd/(\\d+)\"", "fd $1");
    }

    /// A result, or the name of the error.
    public static String result(long result, int errno) {
        return errno != 0 ? Errno.name(errno) : String.valueOf(result);
    }

    /// How many bytes.
    public static String bytes(long count) {
        return count(count, "byte");
    }

    /// How many of something.
    public static String count(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /// How many kicks a run had, if whoever recorded it could see them.
    public static String kicks(Run run) {
        return run.isOfADaemon()
                ? "not seen from here"
                : String.valueOf(run.costs().kicks());
    }

    /// A duration with at most four digits, such as `3.4 µs`.
    public static String time(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        if (nanos < 1_000_000) {
            return decimal(nanos / 1e3) + " µs";
        }
        return nanos < 1_000_000_000 ? decimal(nanos / 1e6) + " ms" : decimal(nanos / 1e9) + " s";
    }

    /// A request as it stands beside another: with its error, where that may be the difference.
    public static String compared(Run run, Story story, Verdict verdict) {
        boolean tells = verdict == Verdict.CHANGED && story.error() != 0;
        return Digest.of(run, story) + (tells ? ", " + Errno.name(story.error()) : "");
    }

    /// A number as far as it says anything.
    public static String decimal(double value) {
        return String.format(Locale.ROOT, value < 99.95 ? "%.1f" : "%.0f", value);
    }
}
