package vitrine.guest;

import java.time.Duration;
import java.util.Optional;
import vitrine.dax.Window;
import vitrine.guest.frontend.WindowMemory;
import vitrine.guest.kernel.GuestClock;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.kernel.dax.DaxMount;
import vitrine.guest.kernel.dax.ExtendingWrite;

/// How a [Machine] is built.
///
/// @param rings how its virtqueues are made
/// @param memory the guest's
/// @param kernel which Linux the guest runs
/// @param clock the guest's time
/// @param seed decides the order in which descriptors are taken: the same seed, the same ring
/// @param patience how long to wait for the device
/// @param dax the DAX window of a file system that is served in this process, and what the guest
///     does with it
public record MachineOptions(
        Rings rings, Memory memory, KernelProfile kernel, GuestClock clock, long seed, Duration patience, Dax dax) {

    /// The virtqueues of a machine.
    ///
    /// @param size entries of each: a power of two up to 32768, of packed ones any number
    /// @param packed whether they are packed ones, if the device knows them (VIRTIO_F_RING_PACKED)
    /// @param eventIndex whether kicks and calls are asked for by entry (VIRTIO_F_EVENT_IDX)
    /// @param indirect whether chains may lie in tables of their own (VIRTIO_F_INDIRECT_DESC)
    public record Rings(int size, boolean packed, boolean eventIndex, boolean indirect) {}

    /// The memory of a machine.
    ///
    /// @param bytes how much; a multiple of a page
    /// @param scattered whether no two pages of a request lie side by side, as in a guest that has
    ///     run for a while: then nothing is put together on its way
    public record Memory(long bytes, boolean scattered) {}

    /// See [MachineOptions#dax].
    ///
    /// @param window the one that the file system was given, too
    /// @param mode the mount option
    /// @param strategy what a write does that makes a file longer
    public record Dax(Window window, DaxMode mode, ExtendingWrite strategy) {}

    /// What a plain QEMU guest has: 128 entries, split, all features, 64 MiB, Linux 6.1.
    public static final MachineOptions DEFAULT = new MachineOptions(
            new Rings(128, false, true, true),
            new Memory(64L << 20, false),
            KernelProfile.LINUX_6_1,
            GuestClock.HOST,
            1,
            Duration.ofSeconds(10),
            new Dax(Window.none(), DaxMode.INODE, ExtendingWrite.WRITE));

    /// The same with queues of another size.
    public MachineOptions withQueueSize(int entries) {
        return withRings(new Rings(entries, rings.packed, rings.eventIndex, rings.indirect));
    }

    /// The same with packed or with split queues.
    public MachineOptions withPacked(boolean on) {
        return withRings(new Rings(rings.size, on, rings.eventIndex, rings.indirect));
    }

    /// The same with or without event index.
    public MachineOptions withEventIndex(boolean on) {
        return withRings(new Rings(rings.size, rings.packed, on, rings.indirect));
    }

    /// The same with or without indirect chains.
    public MachineOptions withIndirect(boolean on) {
        return withRings(new Rings(rings.size, rings.packed, rings.eventIndex, on));
    }

    private MachineOptions withRings(Rings others) {
        return new MachineOptions(others, memory, kernel, clock, seed, patience, dax);
    }

    /// The same with more or less memory.
    ///
    /// @param bytes a multiple of a page
    public MachineOptions withMemory(long bytes) {
        return with(new Memory(bytes, memory.scattered));
    }

    /// The same with pages that lie apart.
    public MachineOptions withScatteredPages() {
        return with(new Memory(memory.bytes, true));
    }

    private MachineOptions with(Memory other) {
        return new MachineOptions(rings, other, kernel, clock, seed, patience, dax);
    }

    /// The same with another kernel.
    public MachineOptions withKernel(KernelProfile other) {
        return new MachineOptions(rings, memory, other, clock, seed, patience, dax);
    }

    /// The same with another clock.
    public MachineOptions withClock(GuestClock other) {
        return new MachineOptions(rings, memory, kernel, other, seed, patience, dax);
    }

    /// The same with another order of descriptors.
    public MachineOptions withSeed(long other) {
        return new MachineOptions(rings, memory, kernel, clock, other, patience, dax);
    }

    /// The same with more or less patience.
    public MachineOptions withPatience(Duration other) {
        return new MachineOptions(rings, memory, kernel, clock, seed, other, dax);
    }

    /// The same with a DAX window. A daemon behind a socket brings its own.
    ///
    /// @param window the one that the file system was given, too
    public MachineOptions withWindow(Window window) {
        return with(new Dax(window, dax.mode, dax.strategy));
    }

    /// The same with another mount option `dax=`.
    public MachineOptions withDax(DaxMode mode) {
        return with(new Dax(dax.window, mode, dax.strategy));
    }

    /// The same with another way to make a file in the window longer.
    public MachineOptions withExtendingWrite(ExtendingWrite strategy) {
        return with(new Dax(dax.window, dax.mode, strategy));
    }

    private MachineOptions with(Dax other) {
        return new MachineOptions(rings, memory, kernel, clock, seed, patience, other);
    }

    DaxMount daxMount(Optional<WindowMemory> window) {
        return new DaxMount(window.orElse(null), dax.mode, dax.strategy);
    }
}
