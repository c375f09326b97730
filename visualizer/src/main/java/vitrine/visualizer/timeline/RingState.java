package vitrine.visualizer.timeline;

import java.util.Arrays;
import java.util.TreeMap;
import vitrine.trace.TraceEvent.Access;
import vitrine.trace.TraceEvent.Area;
import vitrine.trace.TraceEvent.Signal;

/// A virtqueue as both sides have left it, split or packed (virtio 1.3, 2.7 and 2.8), folded from
/// their accesses to its memory where those were recorded, else from chains and notifications
/// alone.
///
/// For each cell it is known which event wrote it last, so that a view can mark what is new.
public final class RingState {

    /// The field of [vitrine.visualizer.timeline.Run#about()] that has the number of entries.
    public static final String QUEUE_SIZE = "queue-size";

    private static final int LARGEST = 32768;
    private static final int BYTES = 16; // of a descriptor

    /// A cell: what it holds, and the event that wrote it, -1 for none.
    public record Cell(long value, int writtenBy) {
        static final Cell BLANK = new Cell(0, -1);
    }

    /// An area of the ring's memory.
    private static final class Cells {
        final TreeMap<Long, Cell> byOffset;

        Cells(TreeMap<Long, Cell> cells) {
            byOffset = cells;
        }

        Cell at(long offset) {
            return byOffset.getOrDefault(offset, Cell.BLANK);
        }
    }

    /// A chain that is on its way.
    ///
    /// @param queuedBy the event that tells of its descriptors, -1 if none does
    /// @param inDevice whether the device has taken it
    /// @param at in a packed ring, the place of its first entry, counted on through all laps
    /// @param entries how many entries of the ring it takes
    public record Flying(int head, int queuedBy, boolean inDevice, int at, int entries) {
        private Flying taken() {
            return new Flying(head, queuedBy, true, at, entries);
        }
    }

    /// How far both sides have come in a packed ring, in entries, counted on through all laps.
    ///
    /// @param offered by the driver
    /// @param taken by the device
    /// @param returned by the device
    public record Laps(int offered, int taken, int returned) {
        private static final Laps NONE = new Laps(0, 0, 0);
    }

    private final int size;
    private final Cells[] areas;
    private final TreeMap<Integer, Flying> flying;
    private final int[] signals;
    private final int[] lastSignal;
    private int popped;
    private int pushed;
    private int reaped;
    private Laps laps = Laps.NONE;
    private boolean packed;

    private RingState(int size, Cells[] areas, TreeMap<Integer, Flying> flying, int[] signals, int[] lastSignal) {
        this.size = size;
        this.areas = areas;
        this.flying = flying;
        this.signals = signals;
        this.lastSignal = lastSignal;
    }

    static RingState empty(Run run) {
        int signals = Signal.values().length;
        int[] never = new int[signals];
        Arrays.fill(never, -1);
        Cells[] areas = {new Cells(new TreeMap<>()), new Cells(new TreeMap<>()), new Cells(new TreeMap<>())};
        return new RingState(sizeOf(run), areas, new TreeMap<>(), new int[signals], never);
    }

    private static int sizeOf(Run run) {
        try {
            int size = Integer.parseInt(run.about().getOrDefault(QUEUE_SIZE, "0"));
            return size < 0 || size > LARGEST ? 0 : size;
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    RingState copy() {
        Cells[] copies = new Cells[areas.length];
        Arrays.setAll(copies, area -> new Cells(new TreeMap<>(areas[area].byOffset)));
        RingState copy = new RingState(size, copies, new TreeMap<>(flying), signals.clone(), lastSignal.clone());
        copy.popped = popped;
        copy.pushed = pushed;
        copy.reaped = reaped;
        copy.laps = laps;
        copy.packed = packed;
        return copy;
    }

    int entries() {
        return flying.size()
                + Arrays.stream(areas).mapToInt(area -> area.byOffset.size()).sum();
    }

    void apply(Columns columns, int n) {
        switch (columns.kind(n)) {
            case RING_ACCESS -> access(columns, n);
            case NOTIFIED -> {
                signals[columns.code(n)]++;
                lastSignal[columns.code(n)] = n;
            }
            case REQUEST_QUEUED -> queued(columns.head(n), n, columns.entries(n));
            case CHAIN_POPPED -> popped(columns.head(n), columns.code(n));
            case CHAIN_PUSHED -> pushed(flying.remove(columns.head(n)));
            default -> {}
        }
    }

    private void queued(int head, int n, int entries) {
        flying.put(head, new Flying(head, n, false, laps.offered, entries));
        laps = new Laps(laps.offered + entries, laps.taken, laps.returned);
    }

    private void popped(int head, int descriptors) {
        Flying known = flying.getOrDefault(head, new Flying(head, -1, false, laps.taken, descriptors));
        flying.put(head, known.taken());
        laps = new Laps(laps.offered, laps.taken + known.entries, laps.returned);
        popped++;
    }

    private void pushed(Flying chain) {
        laps = new Laps(laps.offered, laps.taken, laps.returned + (chain == null ? 1 : chain.entries));
        pushed++;
    }

    /// What is loaded has been stored by the other side: both say what lies there. Only a store is
    /// a change.
    private void access(Columns columns, int n) {
        Access access = columns.access(n);
        if (columns.area(n) == Area.USED && access == Access.LOAD_32 && columns.a(n) % 8 == 4) {
            reaped++; // the driver takes a chain back by reading its head, once
        }
        packed |= isOfPackedRing(columns.area(n), access, columns.a(n));
        Cells cells = areas[columns.area(n).ordinal()];
        long offset = columns.a(n);
        boolean stores = access == Access.STORE_16
                || access == Access.STORE_32
                || access == Access.STORE_64
                || access == Access.STORE_RELEASE_16;
        if (stores) {
            cells.byOffset.put(offset, new Cell(columns.b(n), n));
        } else if (access != Access.FULL_FENCE && !cells.byOffset.containsKey(offset)) {
            cells.byOffset.put(offset, new Cell(columns.b(n), -1));
        }
    }

    /// Only in a packed ring are flags of descriptors what the other side waits for, and only there
    /// do both event areas begin with a field of 32 bits.
    private static boolean isOfPackedRing(Area area, Access access, long offset) {
        return area == Area.DESCRIPTORS
                ? access == Access.STORE_RELEASE_16 || access == Access.LOAD_ACQUIRE_16
                : offset == 0 && (access == Access.STORE_32 || access == Access.LOAD_32);
    }

    /// Whether it is a packed one; known when its memory was touched for the first time.
    public boolean isPacked() {
        return packed;
    }

    /// How far both sides of a packed ring have come.
    public Laps laps() {
        return laps;
    }

    /// Of a packed ring: when the driver wants a call, or the device a kick (virtio 1.3, 2.8.10).
    public Cell suppression(Area area) {
        return areas[area.ordinal()].at(0);
    }

    /// How many entries it has; 0 if nobody said.
    public int size() {
        return size;
    }

    /// Whether accesses to its memory were recorded.
    public boolean isSeen() {
        return size > 0 && Arrays.stream(areas).anyMatch(area -> !area.byOffset.isEmpty());
    }

    /// A field of the descriptor table: 0 for address, 8 for length; of a split ring 12 for flags
    /// and 14 for next, of a packed one 12 for id and 14 for flags.
    public Cell descriptor(int index, int field) {
        return areas[0].at((long) BYTES * index + field);
    }

    /// `avail.flags`.
    public Cell availFlags() {
        return areas[1].at(0);
    }

    /// `avail.idx`.
    public Cell availIdx() {
        return areas[1].at(2);
    }

    /// The head in a slot of the available ring.
    public Cell availEntry(int slot) {
        return areas[1].at(4 + 2L * slot);
    }

    /// `used_event`, behind the available ring.
    public Cell usedEvent() {
        return areas[1].at(4 + 2L * size);
    }

    /// `used.flags`.
    public Cell usedFlags() {
        return areas[2].at(0);
    }

    /// `used.idx`.
    public Cell usedIdx() {
        return areas[2].at(2);
    }

    /// The head in a slot of the used ring.
    public Cell usedHead(int slot) {
        return areas[2].at(4 + 8L * slot);
    }

    /// The length in a slot of the used ring.
    public Cell usedLength(int slot) {
        return areas[2].at(8 + 8L * slot);
    }

    /// `avail_event`, behind the used ring.
    public Cell availEvent() {
        return areas[2].at(4 + 8L * size);
    }

    /// The chains that were queued and are not back yet, by their heads.
    public TreeMap<Integer, Flying> flying() {
        return new TreeMap<>(flying);
    }

    /// How many chains the device has taken: its own index in the available ring.
    public int popped() {
        return popped;
    }

    /// How many chains it has given back.
    public int pushed() {
        return pushed;
    }

    /// How many of those the driver has taken back.
    public int reaped() {
        return reaped;
    }

    /// How often this happened to a notification.
    public int count(Signal signal) {
        return signals[signal.ordinal()];
    }

    /// The event by which it happened last, -1 for none.
    public int last(Signal signal) {
        return lastSignal[signal.ordinal()];
    }

    @Override
    public String toString() {
        return size + " " + areas[0].byOffset + areas[1].byOffset + areas[2].byOffset + flying
                + Arrays.toString(signals) + Arrays.toString(lastSignal) + popped + "/" + pushed + "/" + reaped + laps
                + packed;
    }
}
