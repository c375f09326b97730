package vitrine.visualizer.timeline;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Everything at one moment, as far as the events tell: the fold of all events before it.
public final class State {

    private final Run run;
    private final SortedMap<Integer, RingState> rings = new TreeMap<>();
    private final CacheState caches;
    private final WindowState window;

    /// Nothing has happened yet.
    State(Run run) {
        this.run = run;
        this.caches = new CacheState();
        this.window = new WindowState();
    }

    private State(State other) {
        this.run = other.run;
        other.rings.forEach((queue, ring) -> rings.put(queue, ring.copy()));
        this.caches = other.caches.copy();
        this.window = other.window.copy();
    }

    State copy() {
        return new State(this);
    }

    /// How much there is to copy.
    int entries() {
        return caches.entries()
                + window.pieces().size()
                + rings.values().stream().mapToInt(RingState::entries).sum();
    }

    /// One event more.
    void apply(int n) {
        int queue = run.columns().queue(n);
        if (queue >= 0) {
            rings.computeIfAbsent(queue, _ -> RingState.empty(run)).apply(run.columns(), n);
        }
        caches.apply(run, n);
        window.apply(run, n);
    }

    /// The virtqueues that were seen, by their numbers.
    public SortedMap<Integer, RingState> rings() {
        return Collections.unmodifiableSortedMap(rings);
    }

    /// What the guest's kernel may believe.
    public CacheState caches() {
        return caches;
    }

    /// What is mapped in the DAX window.
    public WindowState window() {
        return window;
    }

    /// All of it as text: two states are the same if this is.
    @Override
    public String toString() {
        return "rings " + rings + ", caches " + caches + ", window " + window;
    }
}
