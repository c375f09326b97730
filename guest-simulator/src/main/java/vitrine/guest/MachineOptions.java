package vitrine.guest;

import java.time.Duration;
import vitrine.dax.Window;
import vitrine.guest.kernel.GuestClock;
import vitrine.guest.kernel.KernelProfile;

/// How a [Machine] is built.
///
/// @param queueSize entries of each virtqueue: a power of two up to 32768
/// @param eventIndex whether kicks and calls are asked for by index (VIRTIO_F_EVENT_IDX)
/// @param indirect whether chains may lie in tables of their own (VIRTIO_F_INDIRECT_DESC)
/// @param memory bytes of guest memory
/// @param kernel which Linux the guest runs
/// @param clock the guest's time
/// @param seed decides the order in which descriptors are taken: the same seed, the same ring
/// @param patience how long to wait for the device
/// @param window the DAX window of the file system that is served in this process
public record MachineOptions(
        int queueSize,
        boolean eventIndex,
        boolean indirect,
        long memory,
        KernelProfile kernel,
        GuestClock clock,
        long seed,
        Duration patience,
        Window window) {

    /// What a plain QEMU guest has: 128 entries, all features, 64 MiB, Linux 6.1.
    public static final MachineOptions DEFAULT = new MachineOptions(
            128,
            true,
            true,
            64L << 20,
            KernelProfile.LINUX_6_1,
            GuestClock.HOST,
            1,
            Duration.ofSeconds(10),
            Window.none());

    /// The same with queues of another size.
    public MachineOptions withQueueSize(int entries) {
        return new MachineOptions(entries, eventIndex, indirect, memory, kernel, clock, seed, patience, window);
    }

    /// The same with or without event index.
    public MachineOptions withEventIndex(boolean on) {
        return new MachineOptions(queueSize, on, indirect, memory, kernel, clock, seed, patience, window);
    }

    /// The same with or without indirect chains.
    public MachineOptions withIndirect(boolean on) {
        return new MachineOptions(queueSize, eventIndex, on, memory, kernel, clock, seed, patience, window);
    }

    /// The same with more or less memory.
    ///
    /// @param bytes a multiple of a page
    public MachineOptions withMemory(long bytes) {
        return new MachineOptions(queueSize, eventIndex, indirect, bytes, kernel, clock, seed, patience, window);
    }

    /// The same with another kernel.
    public MachineOptions withKernel(KernelProfile other) {
        return new MachineOptions(queueSize, eventIndex, indirect, memory, other, clock, seed, patience, window);
    }

    /// The same with another clock.
    public MachineOptions withClock(GuestClock other) {
        return new MachineOptions(queueSize, eventIndex, indirect, memory, kernel, other, seed, patience, window);
    }

    /// The same with another order of descriptors.
    public MachineOptions withSeed(long other) {
        return new MachineOptions(queueSize, eventIndex, indirect, memory, kernel, clock, other, patience, window);
    }

    /// The same with more or less patience.
    public MachineOptions withPatience(Duration other) {
        return new MachineOptions(queueSize, eventIndex, indirect, memory, kernel, clock, seed, other, window);
    }

    /// The same with a DAX window. A daemon behind a socket brings its own.
    ///
    /// @param other the one that the file system was given, too
    public MachineOptions withWindow(Window other) {
        return new MachineOptions(queueSize, eventIndex, indirect, memory, kernel, clock, seed, patience, other);
    }
}
