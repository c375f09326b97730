package vitrine.trace;

import java.util.List;
import java.util.Optional;

/// Everything that happened for one request, from the guest's system call to the reply; or a system
/// call of the guest that needed no request.
///
/// @param number counts the stories of a trace from 1
/// @param events in the order of the trace; never empty
public record RequestStory(int number, List<TraceEvent> events) {

    /// Keeps its own copy.
    public RequestStory {
        events = List.copyOf(events);
    }

    /// The opcode's name, or empty for a system call that the guest answered on its own.
    public Optional<String> opcode() {
        return decoded()
                .map(TraceEvent.RequestDecoded::opcode)
                .or(() -> queued().map(TraceEvent.RequestQueued::opcode));
    }

    /// The request's own number, 0 where no event tells.
    public long unique() {
        return firstKey(keys -> keys.unique(), 0);
    }

    /// The index of the virtqueue, -1 where no event tells.
    public int queue() {
        return (int) firstKey(keys -> keys.queue(), -1);
    }

    /// The index of the chain's first descriptor, -1 where no event tells.
    public int head() {
        return (int) firstKey(keys -> keys.head(), -1);
    }

    /// The number of the guest's system call that brought this about, 0 where no event tells.
    public long guestCall() {
        return firstKey(keys -> keys.guestCall(), 0);
    }

    /// The system call of the guest that began this.
    public Optional<TraceEvent.GuestCallEntered> entered() {
        return first(TraceEvent.GuestCallEntered.class);
    }

    /// How that system call ended, if this request was its last.
    public Optional<TraceEvent.GuestCallReturned> returned() {
        return first(TraceEvent.GuestCallReturned.class);
    }

    /// How the driver put it into the queue.
    public Optional<TraceEvent.RequestQueued> queued() {
        return first(TraceEvent.RequestQueued.class);
    }

    /// How the device took it.
    public Optional<TraceEvent.ChainPopped> popped() {
        return first(TraceEvent.ChainPopped.class);
    }

    /// What the daemon understood.
    public Optional<TraceEvent.RequestDecoded> decoded() {
        return first(TraceEvent.RequestDecoded.class);
    }

    /// What the daemon answered.
    public Optional<TraceEvent.ReplyGiven> reply() {
        return first(TraceEvent.ReplyGiven.class);
    }

    /// How the device gave the chain back.
    public Optional<TraceEvent.ChainPushed> pushed() {
        return first(TraceEvent.ChainPushed.class);
    }

    /// The errno of the reply, 0 for success; the system call's where there was no request.
    public int error() {
        return reply().map(TraceEvent.ReplyGiven::error)
                .or(() -> returned().map(TraceEvent.GuestCallReturned::errno))
                .orElse(0);
    }

    /// The nanoseconds from the first event to the last. Accesses to a ring do not count: a side
    /// may have looked at it long before.
    public long nanos() {
        var times = events.stream()
                .filter(event -> !(event instanceof TraceEvent.RingAccess))
                .mapToLong(event -> event.at().nanos())
                .summaryStatistics();
        return times.getCount() == 0 ? 0 : times.getMax() - times.getMin();
    }

    /// All events of one kind, in order.
    public <E extends TraceEvent> List<E> all(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private <E extends TraceEvent> Optional<E> first(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    private interface Key {
        long of(Keys keys);
    }

    private long firstKey(Key key, long none) {
        return events.stream()
                .mapToLong(event -> key.of(event.at().keys()))
                .filter(value -> value != none)
                .findFirst()
                .orElse(none);
    }
}
