package vitrine.visualizer.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Which events belong to which request, and the other way round.
public final class Stories {

    private final int[] owner; // by event: a story, or -1
    private final int[] starts; // by story: where its events begin in the next array
    private final int[] events;
    private final int[] requests; // by story: the event that decodes it, or -1
    private final int[] replies; // by story: the event that answers it, or -1
    private final List<Story> all = new ArrayList<>();

    /// @param drafts by event: which of `count` drafts it belongs to, or -1
    Stories(Columns columns, int[] drafts, int count) {
        int[] begins = new int[count];
        Arrays.fill(begins, Integer.MAX_VALUE);
        int[] firsts = begins.clone();
        for (int n = drafts.length - 1; n >= 0; n--) {
            if (drafts[n] >= 0) {
                firsts[drafts[n]] = n;
                if (columns.kind(n) != Kind.RING_ACCESS) { // a side may have looked at the ring long before
                    begins[drafts[n]] = n;
                }
            }
        }
        for (int draft = 0; draft < count; draft++) {
            begins[draft] = begins[draft] == Integer.MAX_VALUE ? firsts[draft] : begins[draft];
        }
        int[] order = Order.by(count, draft -> begins[draft]);
        int[] numbers = new int[count];
        for (int number = 0; number < count; number++) {
            numbers[order[number]] = number;
        }
        owner = drafts; // their numbers from now on
        Arrays.setAll(owner, n -> drafts[n] < 0 ? -1 : numbers[drafts[n]]);
        starts = new int[count + 1];
        events = group(count);
        requests = first(columns, Kind.REQUEST_DECODED);
        replies = first(columns, Kind.REPLY_GIVEN);
        for (int number = 0; number < count; number++) {
            all.add(story(columns, number, begins[order[number]]));
        }
    }

    /// The events by story, those of one story in their order.
    private int[] group(int count) {
        for (int story : owner) {
            if (story >= 0) {
                starts[story + 1]++;
            }
        }
        for (int story = 0; story < count; story++) {
            starts[story + 1] += starts[story];
        }
        int[] next = starts.clone();
        int[] grouped = new int[starts[count]];
        for (int n = 0; n < owner.length; n++) {
            if (owner[n] >= 0) {
                grouped[next[owner[n]]++] = n;
            }
        }
        return grouped;
    }

    private int[] first(Columns columns, Kind kind) {
        int[] found = new int[starts.length - 1];
        Arrays.fill(found, -1);
        for (int n = owner.length - 1; n >= 0; n--) {
            if (owner[n] >= 0 && columns.kind(n) == kind) {
                found[owner[n]] = n;
            }
        }
        return found;
    }

    private Story story(Columns columns, int number, int begin) {
        String opcode = "";
        long unique = 0;
        long call = 0;
        int queue = -1;
        int head = -1;
        int error = 0;
        boolean replied = false;
        long[] times = new long[4];
        Arrays.fill(times, Story.NEVER);
        for (int i = starts[number]; i < starts[number + 1]; i++) {
            int n = events[i];
            unique = unique == 0 ? columns.unique(n) : unique;
            call = call == 0 ? columns.call(n) : call;
            queue = queue < 0 ? columns.queue(n) : queue;
            head = head < 0 ? columns.head(n) : head;
            int stage = stage(columns.kind(n));
            if (stage >= 0 && times[stage] == Story.NEVER) {
                times[stage] = columns.nanos(n);
            }
            switch (columns.kind(n)) {
                case REQUEST_QUEUED -> opcode = opcode.isEmpty() ? columns.name(n) : opcode;
                case REQUEST_DECODED -> opcode = columns.name(n);
                case REPLY_GIVEN -> {
                    error = columns.code(n);
                    replied = true;
                }
                case GUEST_CALL_RETURNED -> error = replied ? error : columns.code(n);
                default -> {}
            }
        }
        int end = events[starts[number + 1] - 1];
        return new Story(
                number, opcode, unique, queue, head, call, begin, end, times[0], times[1], times[2], times[3], error);
    }

    private static int stage(Kind kind) {
        return switch (kind) {
            case REQUEST_QUEUED -> 0;
            case CHAIN_POPPED -> 1;
            case REPLY_GIVEN -> 2;
            case CHAIN_PUSHED -> 3;
            default -> -1;
        };
    }

    /// How many stories there are.
    public int size() {
        return all.size();
    }

    /// A story by its number.
    public Story get(int number) {
        return all.get(number);
    }

    /// All of them, in the order in which they begin.
    public List<Story> all() {
        return Collections.unmodifiableList(all);
    }

    /// The requests of one system call of the guest.
    public List<Story> ofCall(long call) {
        return all.stream().filter(story -> story.call() == call).toList();
    }

    /// The story that an event belongs to.
    public Optional<Story> of(int event) {
        return event < 0 || event >= owner.length || owner[event] < 0
                ? Optional.empty()
                : Optional.of(all.get(owner[event]));
    }

    /// The number of the story that an event belongs to, -1 for none.
    public int numberOf(int event) {
        return owner[event];
    }

    /// The event by which the daemon understood the request of a story.
    public Optional<Integer> request(int number) {
        return requests[number] < 0 ? Optional.empty() : Optional.of(requests[number]);
    }

    /// The event by which the daemon answered it.
    public Optional<Integer> reply(int number) {
        return replies[number] < 0 ? Optional.empty() : Optional.of(replies[number]);
    }

    /// The events of a story, in their order.
    public int[] events(int number) {
        return Arrays.copyOfRange(events, starts[number], starts[number + 1]);
    }
}
