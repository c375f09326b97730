package vitrine.guest.cost;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import vitrine.guest.kernel.rule.Congestion;
import vitrine.trace.RequestStories;
import vitrine.trace.RequestStory;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.HostCall;
import vitrine.trace.TraceEvent.Notified;
import vitrine.trace.TraceEvent.Signal;

/// What each request of a run spent, from the events of its trace.
///
/// @param guestCalls the guest's system calls, by name
/// @param entries one for each request, in the order in which they began
public record Ledger(Map<String, Long> guestCalls, List<Entry> entries) {

    /// System calls that move data.
    private static final Set<String> MOVERS =
            Set.of("preadv2", "pwritev2", "preadv", "pwritev", "getdents64", "fgetxattr", "fsetxattr");

    /// Copies both.
    public Ledger {
        guestCalls = Map.copyOf(guestCalls);
        entries = List.copyOf(entries);
    }

    /// The ledger of a run.
    public static Ledger of(List<TraceEvent> events) {
        return of(events, false);
    }

    /// The ledger of a run.
    ///
    /// @param bounces whether the daemon copies what it writes into one piece before: an option of
    ///     ours (`--write-path=bounced`), which no event tells
    public static Ledger of(List<TraceEvent> events, boolean bounces) {
        Map<String, Long> guestCalls = new TreeMap<>();
        for (TraceEvent event : events) {
            if (event instanceof TraceEvent.GuestCallEntered call) {
                guestCalls.merge(call.name(), 1L, Long::sum);
            }
        }
        Set<Long> ahead = readAhead(events);
        List<Entry> entries = new ArrayList<>();
        for (RequestStory story : RequestStories.from(events).stories()) {
            if (story.opcode().isPresent()) {
                entries.add(entry(story, bounces, !ahead.contains(story.unique())));
            }
        }
        return new Ledger(guestCalls, entries);
    }

    /// The requests that follow a decision to read ahead: nobody needed anything of them yet.
    private static Set<Long> readAhead(List<TraceEvent> events) {
        String rule = new Congestion(0, 0).title();
        Set<Long> uniques = new HashSet<>();
        boolean decided = false;
        for (TraceEvent event : events) {
            if (event instanceof TraceEvent.GuestDecision decision
                    && decision.rule().equals(rule)) {
                decided = true;
            } else if (event instanceof TraceEvent.GuestCallReturned) {
                decided = false; // it was not sent
            } else if (decided && event instanceof TraceEvent.RequestQueued queued) {
                uniques.add(queued.at().keys().unique());
                decided = false;
            }
        }
        return uniques;
    }

    private static Entry entry(RequestStory story, boolean bounces, boolean awaited) {
        Map<String, Long> hostCalls = new TreeMap<>();
        long copied = 0;
        for (HostCall call : story.all(HostCall.class)) {
            hostCalls.merge(call.name(), 1L, Long::sum);
            copied += moved(call);
        }
        long descriptors =
                story.popped().map(TraceEvent.ChainPopped::descriptors).orElse(0);
        return new Entry(
                story.opcode().orElseThrow(),
                story.guestCall(),
                signals(story, Signal.KICK),
                signals(story, Signal.CALL),
                signals(story, Signal.KICK_SEEN),
                signals(story, Signal.CALL_SEEN),
                descriptors,
                copied,
                bounces && hostCalls.containsKey("pwritev2") ? copied : 0,
                awaited,
                hostCalls);
    }

    /// Bytes that a system call moved between the host's cache and guest memory.
    static long moved(HostCall call) {
        return MOVERS.contains(call.name()) ? Math.max(0, call.outcome().result()) : 0;
    }

    private static long signals(RequestStory story, Signal signal) {
        return story.all(Notified.class).stream()
                .filter(told -> told.signal() == signal)
                .count();
    }

    /// All of it together.
    public Entry total() {
        return entries.stream().reduce(Entry::plus).orElse(new Entry("", 0, 0, 0, 0, 0, 0, 0, 0, true, Map.of()));
    }

    /// How often each request was made.
    public Map<String, Long> requests() {
        Map<String, Long> requests = new TreeMap<>();
        entries.forEach(entry -> requests.merge(entry.opcode(), 1L, Long::sum));
        return requests;
    }

    /// The entries of one kind of system call of the guest, call by call.
    ///
    /// @param events those that the ledger is of
    /// @param name of the system call
    public List<List<Entry>> perCall(List<TraceEvent> events, String name) {
        List<List<Entry>> calls = new ArrayList<>();
        for (TraceEvent event : events) {
            if (event instanceof TraceEvent.GuestCallEntered call && call.name().equals(name)) {
                long number = call.at().keys().guestCall();
                calls.add(entries.stream()
                        .filter(entry -> entry.guestCall() == number)
                        .toList());
            }
        }
        return calls;
    }
}
