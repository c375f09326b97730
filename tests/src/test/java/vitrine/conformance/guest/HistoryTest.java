package vitrine.conformance.guest;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.ActionChainArbitrary;
import net.jqwik.api.state.Transformer;
import vitrine.conformance.rules.Needs;
import vitrine.guest.Machine;

/// The differential test of the whole way: what programs in the guest get through their kernel, the
/// ring and the daemon is what they would have got on the host.
///
/// `-Dvitrine.histories=5000` tries more of them.
class HistoryTest {

    private static final int MOST = 5_000;
    private static final int HISTORIES = Integer.getInteger("vitrine.histories", 100);
    private static final Map<Axes, Histories> CALLS = new HashMap<>();

    private Twins twins;
    private int tries;
    private boolean failed;

    /// Each call has the same result or the same errno, and in the end both directories look the
    /// same to the host (POSIX.1-2024, and the man pages of what is Linux' own).
    ///
    /// Seen to catch: the flag of WRITE ignored by the daemon; bits not killed where V2 is not
    /// agreed on; bits killed by a copy of nothing; supplementary groups not told; links to files
    /// of others not refused; a slash behind a new name taken for nothing; a `.` that needs no
    /// right to search.
    @Property(tries = MOST, shrinking = ShrinkingMode.BOUNDED)
    void programsInTheGuestSeeADirectoryOfTheHost(@ForAll("stepped") ActionChain<Twins> history) throws Exception {
        if (failed || ++tries <= HISTORIES) {
            requireSame(history);
        }
    }

    /// The same with the queue's thread, a socket pair and real eventfds.
    ///
    /// Seen to catch: the device calls when it should not, and does not when it should.
    @Property(tries = 3, shrinking = ShrinkingMode.OFF)
    void threadsAndASocketInBetweenMakeNoDifference(@ForAll("inProcess") ActionChain<Twins> history) throws Exception {
        requireSame(history);
    }

    /// The same for a guest that moves to another daemon whenever it pleases, with files open that
    /// have no name any more.
    ///
    /// Seen to catch: Arrival opening all files to be read only.
    @Property(tries = 12, shrinking = ShrinkingMode.OFF)
    void movingToAnotherDaemonMakesNoDifference(@ForAll("moving") ActionChain<Twins> history) throws Exception {
        requireSame(history);
    }

    private void requireSame(ActionChain<Twins> history) throws Exception {
        Needs.root();
        boolean same = false;
        try {
            history.run().requireSameTree();
            same = true;
        } finally {
            failed |= !same;
            twins.close();
        }
    }

    @Provide
    Arbitrary<ActionChain<Twins>> stepped() {
        return histories(Machine::stepped);
    }

    @Provide
    Arbitrary<ActionChain<Twins>> inProcess() {
        return histories(Machine::inProcess);
    }

    @Provide
    Arbitrary<ActionChain<Twins>> moving() {
        return histories(Machine::inProcess, new Moving());
    }

    private Arbitrary<ActionChain<Twins>> histories(Twins.Boot boot) {
        return calls(boot).withMaxTransformations(50);
    }

    private Arbitrary<ActionChain<Twins>> histories(Twins.Boot boot, Action<Twins> more) {
        return calls(boot).withAction(2, more).withMaxTransformations(50);
    }

    private ActionChainArbitrary<Twins> calls(Twins.Boot boot) {
        return ActionChain.startWith(() -> begin(boot))
                .withAction(new Start())
                .withAction(3, new Taking(Histories::opens))
                .withAction(4, new Taking(Histories::data))
                .withAction(4, new Taking(Histories::names))
                .withAction(3, new Taking(Histories::attributes))
                .withAction(2, new Taking(Histories::xattrs));
    }

    private Twins begin(Twins.Boot boot) {
        try {
            twins = new Twins(boot);
            return twins;
        } catch (Exception e) {
            throw new IllegalStateException("no twins", e);
        }
    }

    /// Chooses a machine, which is part of the history, so that it shrinks with it.
    private static final class Start implements Action.Independent<Twins> {

        private final Arbitrary<Transformer<Twins>> start =
                Axes.any().map(axes -> Transformer.mutate(axes.toString(), twins -> twins.start(axes)));

        @Override
        public boolean precondition(Twins twins) {
            return !twins.isStarted();
        }

        @Override
        public Arbitrary<Transformer<Twins>> transformer() {
            return start;
        }
    }

    /// The guest goes to another daemon.
    private static final class Moving implements Action.Independent<Twins> {

        @Override
        public boolean precondition(Twins twins) {
            return twins.isStarted();
        }

        @Override
        public Arbitrary<Transformer<Twins>> transformer() {
            return Arbitraries.just(Transformer.mutate("move", Twins::move));
        }
    }

    /// A call of a kind, of those that the machine allows.
    private record Taking(Function<Histories, Arbitrary<Call>> kind) implements Action.Dependent<Twins> {

        @Override
        public boolean precondition(Twins twins) {
            return twins.isStarted();
        }

        @Override
        public Arbitrary<Transformer<Twins>> transformer(Twins twins) {
            Histories calls = CALLS.computeIfAbsent(twins.axes(), Histories::new);
            return kind.apply(calls).map(call -> Transformer.mutate(call.toString(), twin -> twin.take(call)));
        }
    }
}
