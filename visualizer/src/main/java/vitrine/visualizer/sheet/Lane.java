package vitrine.visualizer.sheet;

import vitrine.trace.TraceEvent;
import vitrine.visualizer.paint.Token;

/// The five stages of a request's way, from left to right.
public enum Lane {
    /// A program in the guest.
    PROGRAM("guest app", "app", "A", Token.GUEST_PROGRAM),
    /// The guest's kernel.
    KERNEL("guest kernel", "kernel", "K", Token.GUEST_KERNEL),
    /// The virtqueue.
    QUEUE("virtqueue", "queue", "Q", Token.QUEUE),
    /// The daemon.
    DAEMON("daemon", "daemon", "D", Token.DAEMON),
    /// The host's kernel.
    HOST("host kernel", "host", "H", Token.HOST);

    private final String title;
    private final String shortTitle;
    private final String letter;
    private final Token token;

    Lane(String title, String shortTitle, String letter, Token token) {
        this.title = title;
        this.shortTitle = shortTitle;
        this.letter = letter;
        this.token = token;
    }

    /// Its name for people.
    public String title() {
        return title;
    }

    /// The same where there is little room.
    public String shortTitle() {
        return shortTitle;
    }

    /// Stands beside the colour, for whoever cannot tell colours apart.
    public String letter() {
        return letter;
    }

    /// Its colour.
    public Token token() {
        return token;
    }

    /// Where an event sets out.
    public static Lane from(TraceEvent event) {
        return switch (event) {
            case TraceEvent.GuestCallEntered _ -> PROGRAM;
            case TraceEvent.GuestCallReturned _, TraceEvent.GuestDecision _, TraceEvent.RequestQueued _ -> KERNEL;
            case TraceEvent.RingAccess _, TraceEvent.ChainPopped _, TraceEvent.ChainRefused _ -> QUEUE;
            case TraceEvent.ChainPushed _,
                    TraceEvent.RequestDecoded _,
                    TraceEvent.ReplyGiven _,
                    TraceEvent.HostCall _,
                    TraceEvent.ControlMessage _,
                    TraceEvent.Dropped _ -> DAEMON;
            case TraceEvent.Notified notified ->
                switch (notified.signal()) {
                    case KICK, KICK_SUPPRESSED -> KERNEL;
                    case CALL, CALL_SUPPRESSED -> DAEMON;
                    case KICK_SEEN, CALL_SEEN -> QUEUE;
                };
        };
    }

    /// Where it arrives; the same lane for what stays there.
    public static Lane to(TraceEvent event) {
        return switch (event) {
            case TraceEvent.GuestCallEntered _, TraceEvent.GuestDecision _ -> KERNEL;
            case TraceEvent.GuestCallReturned _ -> PROGRAM;
            case TraceEvent.RequestQueued _, TraceEvent.RingAccess _, TraceEvent.ChainPushed _ -> QUEUE;
            case TraceEvent.ChainPopped _,
                    TraceEvent.ChainRefused _,
                    TraceEvent.RequestDecoded _,
                    TraceEvent.ReplyGiven _,
                    TraceEvent.ControlMessage _,
                    TraceEvent.Dropped _ -> DAEMON;
            case TraceEvent.HostCall _ -> HOST;
            case TraceEvent.Notified notified ->
                switch (notified.signal()) {
                    case KICK, KICK_SUPPRESSED, KICK_SEEN -> DAEMON;
                    case CALL, CALL_SUPPRESSED, CALL_SEEN -> KERNEL;
                };
        };
    }
}
