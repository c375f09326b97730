package vitrine.conformance.guest;

import java.nio.file.Path;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import vitrine.conformance.posix.HostKernel;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;

/// What may be different from machine to machine, and must not make a difference to programs.
///
/// @param groupsTold whether requests tell of supplementary groups (Linux 6.3 and later)
/// @param fileHandles what is kept of a file that is known; only what the host can do
/// @param fallocate whether the history allocates space, or looks for holes: where allocated space
///     that nobody has written to counts as a hole depends on what is in the host's page cache
record Axes(
        Caching cache,
        FileHandleUse fileHandles,
        Queue queue,
        boolean xattr,
        boolean killprivV2,
        boolean groupsTold,
        boolean fallocate) {

    /// What the guest may keep.
    enum Caching {
        NOTHING(CachePolicy.NEVER, false),
        FOR_A_SECOND(CachePolicy.AUTO, false),
        FOR_EVER(CachePolicy.ALWAYS, false),
        AND_DELAY(CachePolicy.ALWAYS, true);

        private final CachePolicy policy;
        private final boolean writeBack;

        Caching(CachePolicy policy, boolean writeBack) {
            this.policy = policy;
            this.writeBack = writeBack;
        }
    }

    /// How the ring is used.
    record Queue(int size, boolean eventIndex, boolean indirect) {}

    private static final boolean HANDLES = HostKernel.hasFileHandles(Path.of(System.getProperty("java.io.tmpdir")));

    static Arbitrary<Axes> any() {
        Arbitrary<Boolean> yesOrNo = Arbitraries.of(true, false);
        Arbitrary<FileHandleUse> use =
                HANDLES ? Arbitraries.of(FileHandleUse.class) : Arbitraries.just(FileHandleUse.NEVER);
        Arbitrary<Queue> queue =
                Combinators.combine(Arbitraries.of(128, 8), yesOrNo, yesOrNo).as(Queue::new);
        return Combinators.combine(Arbitraries.of(Caching.class), use, queue, yesOrNo, yesOrNo, yesOrNo, yesOrNo)
                .as(Axes::new);
    }

    PassthroughOptions daemon() {
        return PassthroughOptions.DEFAULT
                .withCache(cache.policy)
                .with(Feature.WRITEBACK, cache.writeBack)
                .withFileHandles(fileHandles)
                .with(Feature.XATTR, xattr)
                .with(Feature.KILLPRIV_V2, killprivV2);
    }

    MachineOptions machine() {
        KernelProfile client =
                groupsTold ? KernelProfile.LINUX_6_1.with(InitFlag.CREATE_SUPP_GROUP) : KernelProfile.LINUX_6_1;
        return MachineOptions.DEFAULT
                .withKernel(client)
                .withQueueSize(queue.size)
                .withEventIndex(queue.eventIndex)
                .withIndirect(queue.indirect);
    }

    /// Whether files get capabilities. Not with write-back: they would go with the pages that were
    /// written before they came.
    boolean capabilities() {
        return xattr && fallocate && !cache.writeBack;
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
