package vitrine.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import vitrine.trace.TraceEvent.Signal;

/// A trace told request by request.
///
/// @param stories in the order in which they begin
/// @param others the events that belong to no request: messages of vhost-user, system calls between
///     requests, gaps
public record RequestStories(List<RequestStory> stories, List<TraceEvent> others) {

    /// Keeps its own copies.
    public RequestStories {
        stories = List.copyOf(stories);
        others = List.copyOf(others);
    }

    /// Joins the events of a trace by their keys.
    public static RequestStories from(List<TraceEvent> events) {
        Grouping grouping = new Grouping();
        events.forEach(grouping::add);
        return grouping.finish();
    }

    /// Puts each event of a trace into the story that it belongs to.
    ///
    /// The request's own number joins most of them. What has none finds its place by what surrounds
    /// it: a system call of the guest belongs to the requests it causes, an access to the ring to
    /// what it led to, a kick to the request queued last, a call to the chain pushed last.
    private static final class Grouping {

        /// A story in the making: events by their place in the trace.
        private static final class Draft {
            final TreeMap<Integer, TraceEvent> events = new TreeMap<>();

            /// Accesses to a ring do not begin a story: a side may have looked at it long before.
            int begin() {
                return events.entrySet().stream()
                        .filter(entry -> !(entry.getValue() instanceof TraceEvent.RingAccess))
                        .findFirst()
                        .orElse(events.firstEntry())
                        .getKey();
            }

            boolean has(Class<?> kind) {
                return events.values().stream().anyMatch(kind::isInstance);
            }
        }

        /// A system call of the guest: what waits for its next request, and the request before.
        private static final class GuestCall {
            final TreeMap<Integer, TraceEvent> waiting = new TreeMap<>();
            Draft latest;
        }

        private record Chain(int queue, int head) {}

        private record Side(int queue, Actor actor) {}

        private final List<Draft> drafts = new ArrayList<>();
        private final TreeMap<Integer, TraceEvent> others = new TreeMap<>();
        private final Map<Long, Draft> byUnique = new HashMap<>();
        private final Map<Chain, Draft> byChain = new HashMap<>();
        private final Map<Integer, Draft> lastQueued = new HashMap<>();
        private final Map<Integer, Draft> lastPushed = new HashMap<>();
        private final Map<Side, TreeMap<Integer, TraceEvent>> ringWaiting = new HashMap<>();
        private final Map<Long, GuestCall> guestCalls = new HashMap<>();
        private int place;

        void add(TraceEvent event) {
            switch (event) {
                case TraceEvent.GuestCallEntered _ -> guestCall(event).waiting.put(place, event);
                case TraceEvent.GuestCallReturned _ -> returned(event);
                case TraceEvent.GuestDecision _ when event.at().keys().unique() == 0 -> decision(event);
                case TraceEvent.RingAccess _ -> ringWaiting(event).put(place, event);
                case TraceEvent.Notified notified -> notified(notified);
                case TraceEvent.ControlMessage _, TraceEvent.Dropped _ -> others.put(place, event);
                case TraceEvent.HostCall _ when event.at().keys().unique() == 0 -> others.put(place, event);
                case TraceEvent.RequestDecoded _, TraceEvent.ReplyGiven _
                when isOfNoGuest(event) -> others.put(place, event);
                case TraceEvent.GuestDecision _,
                        TraceEvent.RequestQueued _,
                        TraceEvent.ChainPopped _,
                        TraceEvent.ChainRefused _,
                        TraceEvent.ChainPushed _,
                        TraceEvent.RequestDecoded _,
                        TraceEvent.ReplyGiven _,
                        TraceEvent.HostCall _ -> ofRequest(event);
            }
            place++;
        }

        RequestStories finish() {
            guestCalls.values().forEach(this::leave);
            ringWaiting.forEach((side, events) -> {
                Draft pushed = lastPushed.get(side.queue());
                (pushed == null ? others : pushed.events).putAll(events);
            });
            drafts.sort(Comparator.comparing(Draft::begin));
            List<RequestStory> stories = new ArrayList<>();
            for (Draft draft : drafts) {
                stories.add(new RequestStory(stories.size() + 1, List.copyOf(draft.events.values())));
            }
            return new RequestStories(stories, List.copyOf(others.values()));
        }

        /// A session that ends without the guest's word ends by a DESTROY that nobody has sent.
        private static boolean isOfNoGuest(TraceEvent event) {
            return event.at().keys().unique() == 0 && event.at().keys().head() < 0;
        }

        private void ofRequest(TraceEvent event) {
            Keys keys = event.at().keys();
            Draft draft = draftOf(event);
            if (keys.unique() != 0) {
                byUnique.put(keys.unique(), draft);
            }
            if (keys.head() >= 0) {
                byChain.put(new Chain(keys.queue(), keys.head()), draft);
            }
            if (keys.guestCall() != 0) {
                GuestCall call = guestCall(event);
                draft.events.putAll(call.waiting);
                call.waiting.clear();
                call.latest = draft;
            }
            if (event instanceof TraceEvent.RequestQueued) {
                lastQueued.put(keys.queue(), draft);
            } else if (event instanceof TraceEvent.ChainPushed) {
                lastPushed.put(keys.queue(), draft);
                byChain.remove(new Chain(keys.queue(), keys.head())); // the driver may use the head again
            }
            put(event, draft);
        }

        /// The story that has this request or chain, unless it has such an event already: numbers
        /// begin again when the guest mounts again.
        private Draft draftOf(TraceEvent event) {
            Keys keys = event.at().keys();
            Draft known = keys.unique() != 0
                    ? byUnique.get(keys.unique())
                    : byChain.get(new Chain(keys.queue(), keys.head()));
            boolean happensOnce = !(event instanceof TraceEvent.HostCall || event instanceof TraceEvent.GuestDecision);
            return known == null || happensOnce && known.has(event.getClass()) ? newDraft() : known;
        }

        private Draft newDraft() {
            Draft draft = new Draft();
            drafts.add(draft);
            return draft;
        }

        /// Adds the event, and the accesses to the ring by which it came about.
        private void put(TraceEvent event, Draft draft) {
            if (event.at().keys().queue() >= 0) {
                TreeMap<Integer, TraceEvent> accesses = ringWaiting(event);
                draft.events.putAll(accesses);
                accesses.clear();
            }
            draft.events.put(place, event);
        }

        private void notified(TraceEvent.Notified event) {
            int queue = event.at().keys().queue();
            Signal signal = event.signal();
            if (signal == Signal.KICK_SEEN) {
                ringWaiting(event).put(place, event); // leads to the next pop
                return;
            }
            boolean kick = signal == Signal.KICK || signal == Signal.KICK_SUPPRESSED;
            Draft draft = (kick ? lastQueued : lastPushed).get(queue);
            if (draft == null) {
                others.put(place, event);
            } else {
                put(event, draft);
            }
        }

        private TreeMap<Integer, TraceEvent> ringWaiting(TraceEvent event) {
            Side side = new Side(event.at().keys().queue(), event.at().actor());
            return ringWaiting.computeIfAbsent(side, _ -> new TreeMap<>());
        }

        private GuestCall guestCall(TraceEvent event) {
            return guestCalls.computeIfAbsent(event.at().keys().guestCall(), _ -> new GuestCall());
        }

        private void decision(TraceEvent event) {
            if (event.at().keys().guestCall() == 0) {
                others.put(place, event); // the guest kernel on its own account
            } else {
                guestCall(event).waiting.put(place, event);
            }
        }

        private void returned(TraceEvent event) {
            GuestCall call = guestCall(event);
            call.waiting.put(place, event);
            leave(call);
            guestCalls.remove(event.at().keys().guestCall());
        }

        /// What waits for a request that will not come belongs to the last one; without any, the
        /// system call is a story of its own.
        private void leave(GuestCall call) {
            if (!call.waiting.isEmpty()) {
                Draft draft = call.latest == null ? newDraft() : call.latest;
                draft.events.putAll(call.waiting);
            }
        }
    }
}
