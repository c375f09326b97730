package vitrine.guest.kernel.rule;

/// Which request queue a request goes to (`virtio_fs_enqueue_req` in Linux): the first, or, since
/// 6.10, that of the processor. The high-priority queue is for FORGET alone.
///
/// @param byProcessor the kernel's habit
/// @param processor on which processor the caller runs
/// @param queues how many request queues there are
public record QueueChoice(boolean byProcessor, int processor, int queues) implements Rule<Integer> {

    @Override
    public String title() {
        return "queue: which";
    }

    /// Counted from 0, without the high-priority queue.
    @Override
    public Integer outcome() {
        return byProcessor ? Math.floorMod(processor, queues) : 0;
    }
}
