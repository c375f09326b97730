package vitrine.visualizer.scenario;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import vitrine.guest.MachineOptions;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.visualizer.scenario.Scenario.Setup;

/// One thing that is different when a scenario is run again: "what if".
public enum Variation {
    /// The daemon does not agree to kill set-ID bits by itself.
    WITHOUT_KILLPRIV_V2(
            "the daemon leaves HANDLE_KILLPRIV_V2 to the guest",
            setup -> with(setup, setup.fileSystem().with(Feature.KILLPRIV_V2, false))),
    /// The daemon knows no extended attributes.
    WITHOUT_XATTR(
            "the daemon has no extended attributes",
            setup -> with(setup, setup.fileSystem().with(Feature.XATTR, false))),
    /// The daemon has extended attributes.
    WITH_XATTR(
            "the daemon has extended attributes",
            setup -> with(setup, setup.fileSystem().with(Feature.XATTR, true))),
    /// Kicks and calls are not asked for by index.
    WITHOUT_EVENT_INDEX(
            "kicks and calls without VIRTIO_F_EVENT_IDX",
            setup -> with(setup, setup.machine().withEventIndex(false))),
    /// Chains lie in tables of their own.
    WITH_INDIRECT(
            "each chain in a table of its own (VIRTIO_F_INDIRECT_DESC)",
            setup -> with(setup, setup.machine().withIndirect(true))),
    /// Descriptors are taken in another order.
    OTHER_SEED(
            "descriptors taken in another order (another seed)",
            setup -> with(setup, setup.machine().withSeed(setup.machine().seed() + 1)));

    private final String title;
    private final UnaryOperator<Setup> change;

    Variation(String title, UnaryOperator<Setup> change) {
        this.title = title;
        this.change = change;
    }

    private static Setup with(Setup setup, PassthroughOptions fileSystem) {
        return new Setup(setup.machine(), fileSystem, setup.window(), setup.intrusion());
    }

    private static Setup with(Setup setup, MachineOptions machine) {
        return new Setup(machine, setup.fileSystem(), setup.window(), setup.intrusion());
    }

    /// What is different, for people.
    public String title() {
        return title;
    }

    /// A scenario with this difference; its name is `SCENARIO+VARIATION`.
    public Scenario of(Scenario scenario) {
        return new Scenario(
                scenario.name() + "+" + name().toLowerCase(Locale.ROOT).replace('_', '-'),
                scenario.title() + ", but " + title,
                scenario.question(),
                change.apply(scenario.setup()),
                scenario.share(),
                scenario.program());
    }

    /// The variation of this name, as it stands behind a `+`.
    static Optional<Variation> named(String name) {
        return Arrays.stream(values())
                .filter(each ->
                        each.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(name))
                .findFirst();
    }
}
