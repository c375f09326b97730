package vitrine.guest.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import vitrine.posix.Errno;
import vitrine.trace.RequestStory;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Descriptor;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceEvent.Signal;

/// Tells what happened for one request, as lines of text: a function of its events and nothing
/// else.
///
/// ```
/// #12 WRITE  nodeid 3  fh 1  4096 bytes at 0  [KILL_SUIDGID]  unique 42  uid 1000
///     program  pwrite64(3, 4096 bytes, 0)                        4096    24.3 us
///     ring     queue 1  head 7  4 indirect  40+40+4096 out, 16+8 in         kick
///     host     capset(-FSETID)                                      0     1.2 us
///     host     pwritev2(fd 12, 4096 bytes, offset 0)             4096     3.4 us
///     reply    OK  size 4096                           24 bytes  call suppressed
/// ```
public final class Story {

    /// The narrowest page that a story can be told on.
    public static final int NARROWEST = 60;

    private final Style style;
    private final Page page;

    /// How to tell it.
    ///
    /// @param width columns, at least [#NARROWEST]
    /// @param colour whether the reader is a terminal that shows colours
    /// @param rings whether each access to the ring is told as well
    public record Style(int width, boolean colour, boolean rings) {
        /// For files, tests and pipes: 80 columns without colour.
        public static final Style PLAIN = new Style(80, false, false);

        /// Widens a page that is too narrow.
        public Style {
            width = Math.max(width, NARROWEST);
        }
    }

    private Story(Style style) {
        this.style = style;
        this.page = new Page(style.width(), style.colour());
    }

    /// A request as a block of lines, in [Style#PLAIN].
    public static List<String> block(RequestStory story) {
        return block(story, Style.PLAIN);
    }

    /// A request as a block of lines: what it says, what it met on its way, what came of it.
    public static List<String> block(RequestStory story, Style style) {
        return new Story(style).tell(story);
    }

    /// A request in one line, cut where the page ends.
    public static String brief(RequestStory story, Style style) {
        Page page = new Page(style.width(), style.colour());
        String about =
                story.opcode().isPresent() ? about(story) : guestCallText(story).orElse("");
        String left = "#%-4d %-11s ".formatted(story.number(), story.opcode().orElse("-")) + about;
        return page.line(left, result(story) + "%11s".formatted(time(story.nanos())), story.error() != 0);
    }

    private List<String> tell(RequestStory story) {
        page.head("#" + story.number() + " " + title(story), from(story));
        guestCall(story);
        story.all(TraceEvent.GuestDecision.class).forEach(this::decision);
        ring(story);
        if (style.rings()) {
            story.all(TraceEvent.RingAccess.class).forEach(this::access);
        }
        story.all(TraceEvent.HostCall.class).forEach(this::hostCall);
        if (story.opcode().isPresent()) {
            reply(story);
        }
        return page.lines();
    }

    private static String title(RequestStory story) {
        String about = about(story);
        if (story.opcode().isPresent()) {
            return story.opcode().get() + (about.isEmpty() ? "" : "  " + about);
        }
        return story.all(TraceEvent.ChainRefused.class).stream()
                .findFirst()
                .map(refused -> "broken chain: " + refused.why())
                .orElse(story.unique() == 0 && story.head() < 0 ? "no request was needed" : "unknown request");
    }

    private static String about(RequestStory story) {
        return story.decoded().map(Headline::of).orElse("");
    }

    private static String from(RequestStory story) {
        List<String> parts = new ArrayList<>();
        if (story.unique() != 0) {
            parts.add("unique " + Long.toUnsignedString(story.unique()));
        }
        story.decoded()
                .ifPresent(request -> parts.add(
                        "uid " + Integer.toUnsignedString(request.sender().uid())));
        return String.join("  ", parts);
    }

    private void guestCall(RequestStory story) {
        Optional<TraceEvent.GuestCallReturned> returned = story.returned();
        String result =
                returned.map(end -> resultColumn(end.result(), end.errno())).orElse("...");
        boolean failed = returned.isPresent() && returned.get().errno() != 0;
        guestCallText(story).ifPresent(text -> page.row("program", text, result, failed));
    }

    private static Optional<String> guestCallText(RequestStory story) {
        return story.entered()
                .map(entered -> entered.name() + "(" + entered.arguments() + ")")
                .or(() -> story.returned().map(end -> end.name() + "(...)")); // began with an earlier request
    }

    private void decision(TraceEvent.GuestDecision decision) {
        String inputs = decision.inputs().stream()
                .map(input -> input.name().equals("inputs") ? input.value() : field(input))
                .collect(Collectors.joining(", "));
        String choice = decision.rule() + ": " + decision.outcome();
        page.row("decide", inputs.isEmpty() ? choice : choice + "  (" + inputs + ")", "", false);
    }

    private void ring(RequestStory story) {
        List<String> parts = new ArrayList<>();
        if (story.queue() >= 0) {
            parts.add("queue " + story.queue());
        }
        if (story.head() >= 0) {
            parts.add("head " + story.head());
        }
        if (story.queued().isPresent()) {
            TraceEvent.RequestQueued queued = story.queued().get();
            int count = queued.descriptors().size();
            parts.add(queued.indirect() ? count + " indirect" : descriptors(count));
            parts.add(shape(queued.descriptors()));
        } else {
            story.popped().ifPresent(popped -> {
                parts.add(descriptors(popped.descriptors()));
                parts.add(popped.readable() + " out, " + popped.writable() + " in");
            });
        }
        if (!parts.isEmpty()) {
            page.row("ring", String.join("  ", parts), signals(story, "kick"), false);
        }
    }

    /// The lengths in the order of the chain, seen from the driver: what goes out, what comes in.
    private static String shape(List<Descriptor> descriptors) {
        String in = lengths(descriptors, true);
        return lengths(descriptors, false) + " out" + (in.isEmpty() ? "" : ", " + in + " in");
    }

    private static String lengths(List<Descriptor> descriptors, boolean writable) {
        List<String> runs = new ArrayList<>();
        List<Long> lengths = descriptors.stream()
                .filter(descriptor -> descriptor.writable() == writable)
                .map(Descriptor::length)
                .toList();
        for (int from = 0, to; from < lengths.size(); from = to) {
            to = from + 1;
            while (to < lengths.size() && lengths.get(to).equals(lengths.get(from))) {
                to++;
            }
            runs.add(to - from > 2 ? (to - from) + "x" + lengths.get(from) : plusJoined(lengths.subList(from, to)));
        }
        return String.join("+", runs);
    }

    private static String plusJoined(List<Long> lengths) {
        return lengths.stream().map(String::valueOf).collect(Collectors.joining("+"));
    }

    private void hostCall(TraceEvent.HostCall call) {
        TraceEvent.Outcome outcome = call.outcome();
        page.row(
                "host",
                call.name() + "(" + call.arguments() + ")",
                resultColumn(outcome.result(), outcome.errno()) + "%10s".formatted(time(outcome.nanos())),
                outcome.errno() != 0);
    }

    private void access(TraceEvent.RingAccess access) {
        String what = switch (access.access()) {
            case FULL_FENCE -> "full fence";
            case LOAD_16, LOAD_32, LOAD_64, LOAD_ACQUIRE_16, STORE_16, STORE_32, STORE_64, STORE_RELEASE_16 ->
                "%-16s  %-11s +%d".formatted(lower(access.access()), lower(access.area()), access.offset());
        };
        boolean fence = access.access() == TraceEvent.Access.FULL_FENCE;
        page.row(access.at().actor().title(), what, fence ? "" : "0x" + Long.toHexString(access.value()), false);
    }

    private void reply(RequestStory story) {
        List<String> right = new ArrayList<>();
        story.pushed().ifPresent(pushed -> right.add(bytes(pushed.written())));
        String call = signals(story, "call");
        if (!call.isEmpty()) {
            right.add(call);
        }
        String fields = story.reply().map(Headline::of).orElse("");
        page.row(
                "reply",
                result(story) + (fields.isEmpty() ? "" : "  " + fields),
                String.join("  ", right),
                story.error() != 0);
    }

    private static String field(Field field) {
        return field.name() + " " + field.value();
    }

    private static String result(RequestStory story) {
        if (story.reply().isEmpty()) {
            boolean ofGuestAlone = story.opcode().isEmpty() && story.returned().isPresent();
            return ofGuestAlone && story.error() != 0 ? Errno.name(story.error()) : ofGuestAlone ? "OK" : "?";
        }
        TraceEvent.ReplyGiven reply = story.reply().get();
        return reply.error() != 0 ? Errno.name(reply.error()) : reply.payload() < 0 ? "none" : "OK";
    }

    /// `kick`, `kick suppressed`, or nothing, if the trace does not tell.
    private static String signals(RequestStory story, String which) {
        return story.all(TraceEvent.Notified.class).stream()
                .map(TraceEvent.Notified::signal)
                .filter(signal -> signal != Signal.KICK_SEEN && signal != Signal.CALL_SEEN)
                .map(Story::lower)
                .filter(signal -> signal.startsWith(which))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static String resultColumn(long result, int errno) {
        return "%9s".formatted(errno != 0 ? Errno.name(errno) : String.valueOf(result));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String descriptors(int count) {
        return count + (count == 1 ? " descriptor" : " descriptors");
    }

    private static String bytes(long count) {
        return count + (count == 1 ? " byte" : " bytes");
    }

    /// A duration with at most four digits, such as `3.4 us`.
    static String time(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        if (nanos < 1_000_000) {
            return decimal(nanos / 1e3) + " us";
        }
        return nanos < 1_000_000_000 ? decimal(nanos / 1e6) + " ms" : decimal(nanos / 1e9) + " s";
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
    }
}
