package vitrine.conformance.guest;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.ClientOptions;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;

/// What may be different from machine to machine, and must not make a difference to programs.
///
/// @param groupsTold whether requests tell of supplementary groups (Linux 6.3 and later)
/// @param fallocate whether the history allocates space, or looks for holes: where allocated space
///     that nobody has written to counts as a hole depends on what is in the host's page cache
record Axes(
        CachePolicy cache,
        int queueSize,
        boolean eventIndex,
        boolean indirect,
        boolean xattr,
        boolean killprivV2,
        boolean groupsTold,
        boolean fallocate) {

    static Arbitrary<Axes> any() {
        Arbitrary<Boolean> yesOrNo = Arbitraries.of(true, false);
        return Combinators.combine(
                        Arbitraries.of(CachePolicy.AUTO, CachePolicy.NEVER, CachePolicy.ALWAYS),
                        Arbitraries.of(128, 8),
                        yesOrNo,
                        yesOrNo,
                        yesOrNo,
                        yesOrNo,
                        yesOrNo,
                        yesOrNo)
                .as(Axes::new);
    }

    PassthroughOptions daemon() {
        return PassthroughOptions.DEFAULT
                .withCache(cache)
                .with(Feature.XATTR, xattr)
                .with(Feature.KILLPRIV_V2, killprivV2);
    }

    MachineOptions machine() {
        ClientOptions client =
                groupsTold ? ClientOptions.LINUX_6_1.with(InitFlag.CREATE_SUPP_GROUP) : ClientOptions.LINUX_6_1;
        return MachineOptions.DEFAULT
                .withClient(client)
                .withQueueSize(queueSize)
                .withEventIndex(eventIndex)
                .withIndirect(indirect);
    }

    /// Whether files get capabilities.
    boolean capabilities() {
        return xattr && fallocate;
    }

    /// Whether somebody may call chown(-1, -1): with V2, of a file that is open for writing, it
    /// cannot be told from a write (`SetIdBits`).
    boolean asksForNothing(int who) {
        return !killprivV2 || who == Twins.ROOT && !capabilities();
    }

    /// Whether a new file may ask for a set-group-ID bit: who is in the directory's group only by a
    /// supplementary group may keep it, which the host has to be told.
    boolean setGroupIdAtBirth() {
        return groupsTold;
    }
}
