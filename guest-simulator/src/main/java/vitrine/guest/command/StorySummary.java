package vitrine.guest.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import vitrine.posix.Errno;
import vitrine.trace.RequestStories;
import vitrine.trace.RequestStory;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Signal;

/// A trace in a few counts: requests by opcode, errors, notifications, host system calls by name.
final class StorySummary {

    private final List<RequestStory> requests;
    private final List<TraceEvent> others;
    private final List<TraceEvent> all = new ArrayList<>();

    private StorySummary(RequestStories stories) {
        this.requests = stories.stories().stream()
                .filter(story -> story.opcode().isPresent())
                .toList();
        this.others = stories.others();
        stories.stories().forEach(story -> all.addAll(story.events()));
        all.addAll(others);
    }

    /// The lines, at most `width` columns wide.
    static List<String> of(RequestStories stories, int width) {
        return new StorySummary(stories).lines(width);
    }

    private List<String> lines(int width) {
        Map<String, Long> opcodes = count(
                requests.stream().map(story -> story.opcode().orElseThrow()).toList());
        Map<String, Long> errors = count(requests.stream()
                .filter(story -> story.error() != 0)
                .map(story -> Errno.name(story.error()))
                .toList());
        List<String> calls = requests.stream()
                .flatMap(story -> story.all(TraceEvent.HostCall.class).stream())
                .map(TraceEvent.HostCall::name)
                .toList();
        long allCalls =
                all.stream().filter(TraceEvent.HostCall.class::isInstance).count();
        Page page = new Page(width, false);
        String sizes = plural(requests.size(), "request") + ", " + plural(all.size(), "event");
        page.head(sizes + ", " + Story.time(span()), "");
        row(page, "requests", counts(opcodes));
        row(page, "errors", counts(errors));
        row(page, "kicks", signals(Signal.KICK, Signal.KICK_SUPPRESSED, Signal.KICK_SEEN));
        row(page, "calls", signals(Signal.CALL, Signal.CALL_SUPPRESSED, Signal.CALL_SEEN));
        row(page, "host", counts(count(calls)));
        row(page, "", perRequest(calls.size()));
        row(page, calls.isEmpty() ? "host" : "", apart(allCalls - calls.size()));
        row(
                page,
                "control",
                counts(count(others.stream()
                        .filter(event -> event instanceof TraceEvent.ControlMessage message && isAsked(message))
                        .map(event -> ((TraceEvent.ControlMessage) event).name())
                        .toList())));
        row(page, "lost", gaps());
        return page.lines();
    }

    /// An answer bears the name of the message that it answers, and is no second one.
    private static boolean isAsked(TraceEvent.ControlMessage message) {
        return message.direction() == TraceEvent.Direction.TO_BACK_END;
    }

    private static void row(Page page, String label, String text) {
        if (!text.isEmpty()) {
            page.row(label, text, "", false);
        }
    }

    private long span() {
        var times = all.stream().mapToLong(event -> event.at().nanos()).summaryStatistics();
        return all.isEmpty() ? 0 : times.getMax() - times.getMin();
    }

    private String signals(Signal sent, Signal suppressed, Signal seen) {
        if (signals(sent) + signals(suppressed) + signals(seen) == 0) {
            return "";
        }
        return signals(sent) + " sent, " + signals(suppressed) + " suppressed, " + signals(seen) + " seen";
    }

    private long signals(Signal signal) {
        return all.stream()
                .filter(event -> event instanceof TraceEvent.Notified notified && notified.signal() == signal)
                .count();
    }

    private String perRequest(int hostCalls) {
        return requests.isEmpty() || hostCalls == 0
                ? ""
                : String.format(Locale.ROOT, "%.1f host system calls a request", (double) hostCalls / requests.size());
    }

    /// Those that set up the sandbox, say, which no guest has asked for.
    private static String apart(long hostCalls) {
        return hostCalls == 0 ? "" : plural(hostCalls, "host system call") + " for no request";
    }

    private String gaps() {
        List<Long> gaps = others.stream()
                .filter(TraceEvent.Dropped.class::isInstance)
                .map(event -> ((TraceEvent.Dropped) event).events())
                .toList();
        long lost = gaps.stream().mapToLong(Long::longValue).sum();
        return gaps.isEmpty() ? "" : plural(lost, "event") + " in " + plural(gaps.size(), "gap");
    }

    private static Map<String, Long> count(List<String> names) {
        return names.stream().collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    }

    private static String counts(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining("  "));
    }

    private static String plural(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
