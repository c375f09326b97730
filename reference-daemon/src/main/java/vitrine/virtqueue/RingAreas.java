package vitrine.virtqueue;

import vitrine.memory.SharedMemory;

/// The memory of a virtqueue: three areas, in the standard's words (virtio 1.3, 2.6). What lies in
/// them is the business of the [RingFormat].
///
/// @param size entries of the ring
/// @param descriptors the descriptor area; a packed ring has no more than this
/// @param driver the driver area: available ring, or when the driver wants to be called
/// @param device the device area: used ring, or when the device wants to be kicked
public record RingAreas(int size, SharedMemory descriptors, SharedMemory driver, SharedMemory device) {}
