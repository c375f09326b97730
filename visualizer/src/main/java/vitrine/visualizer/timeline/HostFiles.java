package vitrine.visualizer.timeline;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import vitrine.trace.RawBytes;

/// What lay in the share on the host at each moment of a run: what a guest that dies there leaves
/// behind. Only who makes the run can look; a capture has no file data.
public final class HostFiles {

    /// Nobody looked.
    public static final HostFiles UNSEEN = new HostFiles(List.of());

    /// A file as it was seen.
    ///
    /// @param size in bytes
    /// @param bytes the first of them
    /// @param rest stands for the others: another number, other bytes
    public record Content(long size, RawBytes bytes, int rest) {}

    /// All files, from a position on until the next look that found them different.
    ///
    /// @param since how many events had happened
    /// @param files by their paths in the share
    public record State(int since, SortedMap<String, Content> files) {
        /// Keeps its own copy.
        public State {
            files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        }
    }

    /// How far a system call of the guest has got that is under way.
    public enum Progress {
        /// None is under way.
        IDLE,
        /// It leaves the files as they are.
        HARMLESS,
        /// The files are as they were before it.
        NOT_YET,
        /// They are as they will be after it.
        DONE,
        /// Neither.
        HALF_DONE
    }

    private final TreeMap<Integer, State> states = new TreeMap<>();

    /// @param states in the order of time
    public HostFiles(List<State> states) {
        states.forEach(state -> this.states.put(state.since(), state));
    }

    /// Whether nobody looked.
    public boolean isUnseen() {
        return states.isEmpty();
    }

    /// Each state that there was, in the order of time.
    public List<State> states() {
        return List.copyOf(states.values());
    }

    /// The state after so many events; empty if nobody had looked by then.
    public Optional<State> at(int position) {
        return Optional.ofNullable(states.floorEntry(position)).map(Map.Entry::getValue);
    }

    private SortedMap<String, Content> files(int position) {
        return at(position).map(State::files).orElseGet(TreeMap::new);
    }

    /// The file to look at: the one that has changed last, else the first one that will, else any.
    public Optional<String> changedLast(int position) {
        SortedMap<Integer, State> passed = states.headMap(position, true);
        State now = null;
        for (State before : passed.reversed().values()) {
            Optional<String> changed = now == null ? Optional.empty() : changed(before, now);
            if (changed.isPresent()) {
                return changed;
            }
            now = before;
        }
        for (State later : states.tailMap(position, false).values()) {
            Optional<String> changes = now == null ? Optional.empty() : changed(now, later);
            if (changes.isPresent()) {
                return changes;
            }
            now = later;
        }
        return files(position).keySet().stream().findFirst();
    }

    private static Optional<String> changed(State before, State after) {
        TreeSet<String> names = new TreeSet<>(before.files.keySet());
        names.addAll(after.files.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(before.files.get(name), after.files.get(name)))
                .findFirst();
    }

    /// How far the guest's system call has got that is under way after so many events.
    public Progress progress(Run run, int position) {
        int entered = callUnderWay(run, position);
        if (entered < 0) {
            return Progress.IDLE;
        }
        SortedMap<String, Content> before = files(entered);
        SortedMap<String, Content> after = files(end(run, entered));
        SortedMap<String, Content> now = files(position);
        if (before.equals(after) && now.equals(before)) {
            return Progress.HARMLESS;
        }
        return now.equals(before) ? Progress.NOT_YET : now.equals(after) ? Progress.DONE : Progress.HALF_DONE;
    }

    /// The event with which the guest's system call began that is under way after so many events;
    /// -1 if none is. Programs of scenarios make one call after the other.
    public static int callUnderWay(Run run, int position) {
        for (int n = position - 1; n >= 0; n--) {
            if (run.kind(n) == Kind.GUEST_CALL_RETURNED) {
                return -1;
            }
            if (run.kind(n) == Kind.GUEST_CALL_ENTERED) {
                return n;
            }
        }
        return -1;
    }

    /// The position after the return from a call; the end if there is none.
    private static int end(Run run, int entered) {
        for (int n = entered + 1; n < run.size(); n++) {
            if (run.kind(n) == Kind.GUEST_CALL_RETURNED) {
                return n + 1;
            }
        }
        return run.size();
    }
}
