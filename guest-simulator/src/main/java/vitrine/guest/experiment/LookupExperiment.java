package vitrine.guest.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import vitrine.dax.DaxPolicy;
import vitrine.guest.cost.CostTable;
import vitrine.guest.cost.Entry;
import vitrine.guest.cost.VirtualTime;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;

/// LOOKUP of a name that the guest knows, where each file says by itself whether it is for DAX: not
/// asked, asked each time, and believed while the file's ctime is the same.
final class LookupExperiment implements Experiment {

    private static final List<String> SETTINGS = List.of("not asked", "each time", "cached");
    private static final List<DaxPolicy> POLICIES =
            List.of(new DaxPolicy.Never(), new DaxPolicy.Marked(false), new DaxPolicy.Marked(true));

    // The middle of what was reported; of a cache the source only says that there could be one.
    private static final List<Double> IN_SERVER = List.of(Reported.LOOKUP.after(), Reported.LOOKUP.before());
    private static final List<Double> IN_CLIENT = List.of(27.5, 32.5);

    /// What the daemon did that was measured there, before; and what it did more.
    private static final Map<String, Long> CALLS = Map.of("openat", 1L, "statx", 1L, "close", 1L);

    private static final Map<String, Long> MORE = Map.of("openat", 1L, "ioctl", 1L, "close", 1L);

    @Override
    public String name() {
        return "lookup";
    }

    @Override
    public String title() {
        return "LOOKUP with DAX file by file: the flag not asked for, asked each time, cached";
    }

    @Override
    public List<Row> run(Bench bench) throws IOException, InterruptedException {
        bench.where()
                .requireOurs("lookup", "only our daemon has DAX file by file, and what is measured is inside of it");
        List<AskedFiles> daemons = new ArrayList<>();
        try {
            for (DaxPolicy policy : bench.rounds() == 0 ? List.<DaxPolicy>of() : POLICIES) {
                daemons.add(AskedFiles.serve(PassthroughOptions.DEFAULT.withDax(policy)));
            }
            return rows(bench, daemons);
        } catch (ErrnoException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            for (AskedFiles daemon : daemons) {
                daemon.close();
            }
        }
    }

    private List<Row> rows(Bench bench, List<AskedFiles> daemons)
            throws IOException, InterruptedException, ErrnoException {
        List<Row.Counts> counts = new ArrayList<>();
        for (DaxPolicy policy : POLICIES) {
            Map<String, Double> calls = AskedFiles.hostCallsOfOne(PassthroughOptions.DEFAULT.withDax(policy));
            counts.add(new Row.Counts(Map.of("LOOKUP", 1.0), calls));
        }
        List<List<Double>> server = new ArrayList<>();
        List<List<Double>> client = new ArrayList<>();
        daemons.forEach(_ -> server.add(new ArrayList<>()));
        daemons.forEach(_ -> client.add(new ArrayList<>()));
        for (int round = 0; round <= bench.rounds(); round++) { // the first warms up
            bench.progress()
                    .accept("lookup " + Bench.bar(round, bench.rounds()) + " round " + round + " of " + bench.rounds());
            for (int i = 0; i < daemons.size(); i++) {
                AskedFiles.Micros micros = daemons.get(i).lookups(bench.slice());
                if (round > 0) {
                    server.get(i).add(micros.server());
                    client.get(i).add(micros.client());
                }
            }
        }
        return List.of(
                row("in the server", IN_SERVER, inServer(), server, counts),
                row("in the client", IN_CLIENT, inClient(), client, counts));
    }

    private static Row row(
            String name, List<Double> reported, List<Double> model, List<List<Double>> seen, List<Row.Counts> counts) {
        List<Row.Range> measured = seen.stream().map(Row.Range::of).toList();
        List<Row.Claim> claims = List.of(new Row.Claim(1, 0), new Row.Claim(1, 2));
        return new Row(name, SETTINGS, Row.Unit.MICROS, reported, model, measured, counts, claims, List.of());
    }

    private static Entry entry(boolean asked) {
        Map<String, Long> calls = new TreeMap<>(CALLS);
        if (asked) {
            MORE.forEach((name, count) -> calls.merge(name, count, Long::sum));
        }
        return new Entry("LOOKUP", 1, 1, 1, 1, 1, 4, 0, 0, true, calls);
    }

    /// The system calls, on a machine on which those of before take what was reported.
    private static List<Double> inServer() {
        CostTable costs = CostTable.of("");
        double factor = IN_SERVER.getFirst() / costs.hostCalls(entry(false));
        double asked = costs.hostCalls(entry(true)) * factor;
        return List.of(IN_SERVER.getFirst(), asked, IN_SERVER.getFirst());
    }

    /// The whole way, likewise.
    private static List<Double> inClient() {
        CostTable costs = CostTable.of("");
        double before = VirtualTime.of(costs, List.of(List.of(entry(false))), 1, 1);
        double asked = VirtualTime.of(costs, List.of(List.of(entry(true))), 1, 1);
        double factor = IN_CLIENT.getFirst() / before;
        return List.of(IN_CLIENT.getFirst(), asked * factor, IN_CLIENT.getFirst());
    }
}
