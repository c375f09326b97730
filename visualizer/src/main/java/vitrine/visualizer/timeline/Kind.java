package vitrine.visualizer.timeline;

import vitrine.trace.TraceEvent;

/// What an event is, as a number that fits into a column: one for each record of [TraceEvent].
public enum Kind {
    /// A program in the guest made a system call.
    GUEST_CALL_ENTERED,
    /// It came back.
    GUEST_CALL_RETURNED,
    /// The guest's kernel chose.
    GUEST_DECISION,
    /// The driver put a request into a queue.
    REQUEST_QUEUED,
    /// Somebody touched a ring.
    RING_ACCESS,
    /// A kick or a call, or one that was spared.
    NOTIFIED,
    /// The device took a chain.
    CHAIN_POPPED,
    /// The device took what is no chain.
    CHAIN_REFUSED,
    /// The device gave a chain back.
    CHAIN_PUSHED,
    /// The daemon understood a request.
    REQUEST_DECODED,
    /// The daemon answered it.
    REPLY_GIVEN,
    /// The daemon made a system call.
    HOST_CALL,
    /// A message of vhost-user.
    CONTROL_MESSAGE,
    /// Events that could not be kept.
    DROPPED;

    private static final Kind[] ALL = values();

    /// The kind of an event.
    public static Kind of(TraceEvent event) {
        return switch (event) {
            case TraceEvent.GuestCallEntered _ -> GUEST_CALL_ENTERED;
            case TraceEvent.GuestCallReturned _ -> GUEST_CALL_RETURNED;
            case TraceEvent.GuestDecision _ -> GUEST_DECISION;
            case TraceEvent.RequestQueued _ -> REQUEST_QUEUED;
            case TraceEvent.RingAccess _ -> RING_ACCESS;
            case TraceEvent.Notified _ -> NOTIFIED;
            case TraceEvent.ChainPopped _ -> CHAIN_POPPED;
            case TraceEvent.ChainRefused _ -> CHAIN_REFUSED;
            case TraceEvent.ChainPushed _ -> CHAIN_PUSHED;
            case TraceEvent.RequestDecoded _ -> REQUEST_DECODED;
            case TraceEvent.ReplyGiven _ -> REPLY_GIVEN;
            case TraceEvent.HostCall _ -> HOST_CALL;
            case TraceEvent.ControlMessage _ -> CONTROL_MESSAGE;
            case TraceEvent.Dropped _ -> DROPPED;
        };
    }

    static Kind at(int ordinal) {
        return ALL[ordinal];
    }

    int bit() {
        return 1 << ordinal();
    }
}
