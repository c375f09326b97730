package vitrine.visualizer.timeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;
import vitrine.trace.Actor;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Sender;

/// All that happened, once and for ever.
///
/// Events are numbered from 0. A *position* is how many of them have happened: 0 to [#size()];
/// event `position - 1` is the one that has just happened.
public final class Run {

    private static final int MOST_GAPS = 1000;
    private static final int FOLDED_AT_ONCE = 50_000;
    private static final Set<Actor> OF_THE_GUEST = Set.of(Actor.GUEST_PROGRAM, Actor.GUEST_KERNEL, Actor.DRIVER);

    private final Columns columns;
    private final Map<String, String> about;
    private final Optional<String> note;
    private final Stories stories;
    private final Keyframes keyframes;
    private final Map<Spans.Lane, Spans> spans = new EnumMap<>(Spans.Lane.class);
    private Costs costs;
    private Map<String, Integer> anchors;
    private Run comparedWith;
    private Difference difference;
    private final long begin; // threads race to the trace: the first event is not always the earliest
    private final long end;
    private final long dropped;
    private final boolean ofADaemon;
    private final int[] gaps;
    private final HostFiles hostFiles;

    Run(Columns columns, Map<String, String> about, Optional<String> note, HostFiles hostFiles) {
        this.hostFiles = hostFiles;
        this.columns = columns;
        this.about = Map.copyOf(about);
        this.note = note;
        this.stories = Join.of(columns);
        this.keyframes = new Keyframes(this);
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        long lost = 0;
        boolean seesGuest = false;
        for (int n = 0; n < columns.size(); n++) {
            first = Math.min(first, columns.nanos(n));
            last = Math.max(last, columns.nanos(n));
            seesGuest = seesGuest || OF_THE_GUEST.contains(columns.actor(n));
            lost += columns.kind(n) == Kind.DROPPED ? Math.max(0, columns.a(n)) : 0;
        }
        this.dropped = lost;
        this.ofADaemon = columns.size() > 0 && !seesGuest;
        this.gaps = lost == 0
                ? new int[0]
                : IntStream.range(0, columns.size())
                        .filter(n -> columns.kind(n) == Kind.DROPPED)
                        .limit(MOST_GAPS)
                        .toArray();
        this.begin = first;
        this.end = last;
    }

    /// The run that these events tell of.
    public static Run of(List<TraceEvent> events, Map<String, String> about) {
        return of(events, about, HostFiles.UNSEEN);
    }

    /// The same, by somebody who has looked at the host's files meanwhile.
    public static Run of(List<TraceEvent> events, Map<String, String> about, HostFiles hostFiles) {
        RunBuilder builder = new RunBuilder();
        events.forEach(builder::add);
        return new Run(builder.columns(), about, Optional.empty(), hostFiles);
    }

    /// The run in a capture file.
    ///
    /// @throws vitrine.trace.BrokenCaptureException if it is none, or a broken one
    public static Run read(Path file) throws IOException {
        return read(file, _ -> {});
    }

    /// The same, for somebody who waits.
    ///
    /// @param progress is told what is done, 0 to 1, now and then
    public static Run read(Path file, DoubleConsumer progress) throws IOException {
        return Reading.of(file, progress);
    }

    /// What whoever recorded it said of it: scenario, seed, options.
    public Map<String, String> about() {
        return about;
    }

    /// A sentence if its end is missing.
    public Optional<String> note() {
        return note;
    }

    /// What lay on the host meanwhile, if somebody looked.
    public HostFiles hostFiles() {
        return hostFiles;
    }

    /// How many events there are.
    public int size() {
        return columns.size();
    }

    /// An event.
    public TraceEvent event(int n) {
        return columns.event(n);
    }

    /// What an event is.
    public Kind kind(int n) {
        return columns.kind(n);
    }

    /// When it was, on the clock of the run.
    public long nanos(int n) {
        return columns.nanos(n);
    }

    /// Who did it.
    public Actor actor(int n) {
        return columns.actor(n);
    }

    /// The number of the guest's system call that it is known to belong to, or 0.
    public long guestCall(int n) {
        long own = columns.call(n);
        return own != 0 ? own : stories.of(n).map(Story::call).orElse(0L);
    }

    /// How many system calls of the guest were seen to begin.
    public int guestCalls() {
        return (int) IntStream.range(0, size())
                .filter(n -> kind(n) == Kind.GUEST_CALL_ENTERED)
                .count();
    }

    /// Its name: of a system call, a rule, an opcode, a message; empty for others.
    public String name(int n) {
        return columns.name(n);
    }

    /// Its errno, of those that have one.
    public int error(int n) {
        return switch (kind(n)) {
            case GUEST_CALL_RETURNED, REPLY_GIVEN, HOST_CALL -> columns.code(n);
            default -> 0;
        };
    }

    /// What a field of a request or a reply says; empty for events without such a field.
    public Optional<String> field(int n, String name) {
        if (kind(n) != Kind.REQUEST_DECODED && kind(n) != Kind.REPLY_GIVEN) {
            return Optional.empty();
        }
        int fields = columns.details.fieldsOfMessage(columns.detail(n));
        return Optional.ofNullable(columns.details.valueAt(fields, name));
    }

    /// Who sent a request.
    public Sender sender(int n) {
        return kind(n) == Kind.REQUEST_DECODED ? columns.details.senderAt(columns.detail(n)) : Columns.NOBODY;
    }

    /// What took how long, for a lane of the timeline; put together when it is first asked for.
    public synchronized Spans spans(Spans.Lane lane) {
        return spans.computeIfAbsent(lane, wanted -> Spans.of(this, wanted));
    }

    /// What the whole of it cost; put together when it is first asked for.
    public synchronized Costs costs() {
        if (costs == null) {
            costs = Costs.ofAll(this);
        }
        return costs;
    }

    /// Whether nothing in it was noted by a guest, as in what a daemon records: then it has neither
    /// the guest's system calls, nor kicks, nor what the driver stores in a ring.
    public boolean isOfADaemon() {
        return ofADaemon;
    }

    /// How it differs from another run; the last answer is kept, for a picture asks again and
    /// again.
    public synchronized Difference differenceTo(Run other) {
        if (comparedWith != other) {
            difference = Difference.of(this, other);
            comparedWith = other;
        }
        return difference;
    }

    /// What [Anchors] can name in it, and how often each comes; found out when it is first asked
    /// for.
    public synchronized Map<String, Integer> anchors() {
        if (anchors == null) {
            anchors = Collections.unmodifiableMap(Anchors.words(this));
        }
        return anchors;
    }

    /// How many events are missing, because somebody could not keep up.
    public long dropped() {
        return dropped;
    }

    /// The events that stand for those that are missing: the first thousand.
    public int[] gaps() {
        return gaps.clone();
    }

    /// When the first event was; 0 for a run without events.
    public long begin() {
        return size() == 0 ? 0 : begin;
    }

    /// When the last event was.
    public long end() {
        return size() == 0 ? 0 : end;
    }

    /// The requests, and which events belong to them.
    public Stories stories() {
        return stories;
    }

    /// Everything as it was after the first `position` events.
    public State stateAt(int position) {
        return keyframes.stateAt(position);
    }

    /// Whether [#stateAt] takes no longer than somebody at a window waits.
    public boolean isNear(int position) {
        return keyframes.isNear(position);
    }

    /// Finds out ahead what pictures will ask for: the spans of the timeline.
    public void prepare() {
        for (Spans.Lane lane : Spans.Lane.values()) {
            spans(lane);
        }
    }

    /// Goes through the whole run once, bit by bit, so that every moment is near from then on; and
    /// finds out what the palette and the cost ask for.
    public void fold() {
        for (int position = FOLDED_AT_ONCE; !isNear(size()); position += FOLDED_AT_ONCE) {
            stateAt(Math.min(position, size()));
        }
        anchors();
        costs();
    }

    /// The moment after the first `position` events; a position beyond the end is the end.
    public Moment at(int position) {
        return new Moment(this, Math.clamp(position, 0, size()));
    }

    Columns columns() {
        return columns;
    }
}
