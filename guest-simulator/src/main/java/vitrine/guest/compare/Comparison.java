package vitrine.guest.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import vitrine.guest.qemu.GuestFailedException;

/// The same requests to several daemons, in turns, so that whatever else the machine does meets all
/// of them alike.
final class Comparison {

    /// A program of the JVM is fast only when it has seen all that it will have to do, and often.
    private static final int WARM = 15;

    private static final int WARM_AGAIN = 2;

    private final List<Contender> contenders;
    private final int rounds;

    /// @param rounds how often each is measured; the median counts
    Comparison(List<Contender> contenders, int rounds) {
        this.contenders = contenders;
        this.rounds = rounds;
    }

    /// Does everything once, unmeasured.
    void warmUp(List<Load> loads, Consumer<String> progress) throws GuestFailedException, InterruptedException {
        for (Load load : loads) {
            progress.accept("warming up: " + load.name());
            for (Contender contender : contenders) {
                contender.warmUp(load, WARM);
            }
        }
    }

    /// Measures.
    ///
    /// @param rows gets each row when it is done: one sample for each contender, in their order
    void run(List<Load> loads, Consumer<String> progress, BiConsumer<Load, List<Sample>> rows)
            throws GuestFailedException, IOException, InterruptedException {
        for (Load load : loads) {
            progress.accept("measuring: " + load.name());
            rows.accept(load, measure(load));
        }
    }

    private List<Sample> measure(Load load) throws GuestFailedException, IOException, InterruptedException {
        List<Load.Ready> ready = new ArrayList<>();
        List<List<Sample>> samples = new ArrayList<>();
        for (Contender contender : contenders) {
            contender.warmUp(load, WARM_AGAIN);
            ready.add(contender.ready(load));
            samples.add(new ArrayList<>());
        }
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < contenders.size(); i++) {
                samples.get(i).add(contenders.get(i).measure(load, ready.get(i)));
            }
        }
        for (int i = 0; i < contenders.size(); i++) {
            contenders.get(i).end(load, ready.get(i));
        }
        return samples.stream().map(Sample::median).toList();
    }
}
