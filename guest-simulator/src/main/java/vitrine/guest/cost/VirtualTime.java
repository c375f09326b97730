package vitrine.guest.cost;

import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/// How long a run takes, in microseconds of a machine that a [CostTable] describes.
///
/// Some programs do the same operations over and over, each on a processor of its own; the device
/// serves their requests in the order in which they come, on so many threads. An operation is a
/// list of requests. All but the last are waited for; the last one too, unless the program keeps
/// several under way, as with io_submit(2). What is read ahead overlaps with what the program does
/// next: it is waited for when more is read ahead, for that is when the reader has come to it. Who
/// has nothing to do sleeps, and has to be woken.
public final class VirtualTime {

    private final CostTable costs;
    private final double[] threads; // until when each of the device's is busy
    private final int depth;
    private double end;

    /// A program on its way: what it does next, and when.
    private static final class Program implements Comparable<Program> {
        final int number;
        double now;
        int operation;
        int request;
        double ahead; // when what was read ahead last is there
        final PriorityQueue<Double> underWay = new PriorityQueue<>();

        Program(int number) {
            this.number = number;
        }

        @Override
        public int compareTo(Program other) {
            int byTime = Double.compare(now, other.now);
            return byTime != 0 ? byTime : Integer.compare(number, other.number);
        }
    }

    private VirtualTime(CostTable costs, int depth) {
        this.costs = costs;
        this.depth = depth;
        threads = new double[costs.deviceThreads()];
    }

    /// How long it takes until all is done.
    ///
    /// @param operations what each program does, one after the other
    /// @param programs how many do it at the same time
    /// @param depth how many operations of a program may be under way, 1 for one after the other
    public static double of(CostTable costs, List<List<Entry>> operations, int programs, int depth) {
        VirtualTime time = new VirtualTime(costs, depth);
        PriorityQueue<Program> ready = new PriorityQueue<>();
        for (int i = 0; i < programs; i++) {
            ready.add(new Program(i));
        }
        while (!ready.isEmpty()) {
            Program next = ready.poll();
            if (next.operation < operations.size()) {
                time.step(next, operations.get(next.operation));
                ready.add(next);
            } else {
                time.finish(next);
            }
        }
        return time.end;
    }

    /// Sends one request, and waits for it if it has to.
    private void step(Program program, List<Entry> requests) {
        if (program.request == 0) {
            program.now += costs.micros("guest.call");
            awaitRoom(program);
        }
        if (requests.isEmpty()) {
            program.operation++; // the guest's kernel did it alone
            return;
        }
        boolean last = program.request == requests.size() - 1;
        Entry entry = requests.get(program.request);
        if (!entry.awaited()) {
            wakeAt(program, program.ahead);
        }
        program.now += costs.micros("guest.request");
        double done = serve(program, entry);
        if (!entry.awaited()) {
            program.ahead = done;
        } else if (last && depth > 1) {
            program.underWay.add(done);
        } else {
            wakeAt(program, done);
        }
        program.request = last ? 0 : program.request + 1;
        program.operation += last ? 1 : 0;
    }

    /// The thread that is free first takes it; one that sleeps has to be kicked, and wakes up.
    private double serve(Program program, Entry entry) {
        int first = 0;
        for (int i = 1; i < threads.length; i++) {
            first = threads[i] < threads[first] ? i : first;
        }
        double start = Math.max(program.now, threads[first]);
        boolean sleeps = Arrays.stream(threads).allMatch(until -> until <= program.now);
        if (sleeps) {
            program.now += costs.micros("kick");
            start = program.now + costs.micros("device.wake");
        }
        threads[first] = start + costs.service(entry) + costs.micros("call");
        return threads[first];
    }

    private void awaitRoom(Program program) {
        while (program.underWay.size() >= depth) {
            wakeAt(program, program.underWay.poll());
        }
        while (!program.underWay.isEmpty() && program.underWay.peek() <= program.now) {
            program.underWay.poll(); // came back meanwhile
        }
    }

    /// Waits for a reply. If it is there already, nobody has to be woken.
    private void wakeAt(Program program, double done) {
        if (done > program.now) {
            program.now = done + costs.micros("guest.wake");
        }
    }

    private void finish(Program program) {
        wakeAt(program, program.ahead);
        while (!program.underWay.isEmpty()) {
            wakeAt(program, program.underWay.poll());
        }
        end = Math.max(end, program.now);
    }
}
