package vitrine.visualizer.timeline;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import vitrine.trace.TraceEvent.Signal;

/// Finds out which events belong together, by the rules of [vitrine.trace.RequestStories], but over
/// columns: a million requests make no million maps. A test holds the two against each other.
///
/// The request's own number joins most events. What has none finds its place by what surrounds it:
/// a system call of the guest belongs to the requests it causes, an access to the ring to what it
/// led to, a kick to the request queued last, a call to the chain pushed last.
final class Join {

    private static final int NOBODY = -1;
    private static final int MANY_TIMES = Kind.HOST_CALL.bit() | Kind.GUEST_DECISION.bit();

    /// A system call of the guest: what waits for its next request, and the request before.
    private static final class GuestCall {
        final IntList waiting = new IntList();
        int latest = NOBODY;
    }

    private final Columns columns;
    private final int[] owner;
    private final IntList kinds = new IntList(); // by draft: which kinds of events it has
    private final Map<Long, Integer> byUnique = new HashMap<>();
    private final Map<Long, Integer> byChain = new HashMap<>();
    private final Map<Integer, Integer> lastQueued = new HashMap<>();
    private final Map<Integer, Integer> lastPushed = new HashMap<>();
    private final Map<Long, IntList> ringWaiting = new HashMap<>();
    private final Map<Long, GuestCall> guestCalls = new HashMap<>();

    private Join(Columns columns) {
        this.columns = columns;
        this.owner = new int[columns.size()];
        Arrays.fill(owner, NOBODY);
    }

    static Stories of(Columns columns) {
        Join join = new Join(columns);
        for (int n = 0; n < columns.size(); n++) {
            join.add(n);
        }
        join.guestCalls.values().forEach(join::leave);
        join.ringWaiting.forEach(
                (side, events) -> join.give(events, join.lastPushed.getOrDefault((int) (side >> 8), NOBODY)));
        return new Stories(columns, join.owner, join.kinds.size());
    }

    private void add(int n) {
        switch (columns.kind(n)) {
            case GUEST_CALL_ENTERED -> guestCall(n).waiting.add(n);
            case GUEST_CALL_RETURNED -> {
                GuestCall call = guestCall(n);
                call.waiting.add(n);
                leave(call);
                guestCalls.remove(columns.call(n));
            }
            case RING_ACCESS -> ringWaiting(n).add(n);
            case NOTIFIED -> notified(n);
            case GUEST_DECISION -> {
                if (columns.unique(n) != 0) {
                    ofRequest(n);
                } else if (columns.call(n) != 0) {
                    guestCall(n).waiting.add(n);
                }
            }
            case HOST_CALL -> {
                if (columns.unique(n) != 0) {
                    ofRequest(n);
                }
            }
            case REQUEST_DECODED, REPLY_GIVEN -> {
                if (columns.unique(n) != 0 || columns.head(n) >= 0) { // else of no guest
                    ofRequest(n);
                }
            }
            case REQUEST_QUEUED, CHAIN_POPPED, CHAIN_REFUSED, CHAIN_PUSHED -> ofRequest(n);
            case CONTROL_MESSAGE, DROPPED -> {}
        }
    }

    private void ofRequest(int n) {
        int draft = draftOf(n);
        if (columns.unique(n) != 0) {
            byUnique.put(columns.unique(n), draft);
        }
        if (columns.head(n) >= 0) {
            byChain.put(chain(n), draft);
        }
        if (columns.call(n) != 0) {
            GuestCall call = guestCall(n);
            give(call.waiting, draft);
            call.latest = draft;
        }
        if (columns.kind(n) == Kind.REQUEST_QUEUED) {
            lastQueued.put(columns.queue(n), draft);
        } else if (columns.kind(n) == Kind.CHAIN_PUSHED) {
            lastPushed.put(columns.queue(n), draft);
            byChain.remove(chain(n)); // the driver may use the head again
        }
        put(n, draft);
    }

    /// The draft that has this request or chain, unless it has such an event already: numbers begin
    /// again when the guest mounts again.
    private int draftOf(int n) {
        Integer known = columns.unique(n) != 0 ? byUnique.get(columns.unique(n)) : byChain.get(chain(n));
        int kind = columns.kind(n).bit();
        if (known == null || (kind & MANY_TIMES) == 0 && (kinds.get(known) & kind) != 0) {
            kinds.add(0);
            return kinds.size() - 1;
        }
        return known;
    }

    /// Gives the event its draft, and the accesses to the ring by which it came about.
    private void put(int n, int draft) {
        if (columns.queue(n) >= 0) {
            give(ringWaiting(n), draft);
        }
        give(n, draft);
    }

    private void notified(int n) {
        Signal signal = columns.signal(n);
        if (signal == Signal.KICK_SEEN) {
            ringWaiting(n).add(n); // leads to the next pop
            return;
        }
        boolean kick = signal == Signal.KICK || signal == Signal.KICK_SUPPRESSED;
        Integer draft = (kick ? lastQueued : lastPushed).get(columns.queue(n));
        if (draft != null) {
            put(n, draft);
        }
    }

    /// What waits for a request that will not come belongs to the last one; without any, the system
    /// call is a story of its own.
    private void leave(GuestCall call) {
        if (call.waiting.size() > 0) {
            if (call.latest == NOBODY) {
                kinds.add(0);
                call.latest = kinds.size() - 1;
            }
            give(call.waiting, call.latest);
        }
    }

    private void give(IntList events, int draft) {
        for (int i = 0; i < events.size(); i++) {
            if (draft != NOBODY) {
                give(events.get(i), draft);
            }
        }
        events.clear();
    }

    private void give(int n, int draft) {
        owner[n] = draft;
        kinds.set(draft, kinds.get(draft) | columns.kind(n).bit());
    }

    private IntList ringWaiting(int n) {
        long side = (long) columns.queue(n) << 8 | columns.actor(n).ordinal();
        return ringWaiting.computeIfAbsent(side, _ -> new IntList());
    }

    private GuestCall guestCall(int n) {
        return guestCalls.computeIfAbsent(columns.call(n), _ -> new GuestCall());
    }

    private long chain(int n) {
        return (long) columns.queue(n) << 32 | Integer.toUnsignedLong(columns.head(n));
    }
}
