package vitrine.virtqueue;

import vitrine.wire.Buffers;

/// One request's memory: what the device may read, and where it may write.
///
/// The buffers are guest memory itself, not a copy. They are the device's from the pop until the
/// push of the same head; after that the driver may use the memory for something else.
///
/// @param head the number of the first descriptor, which names the chain when it is pushed
/// @param readable the device-readable bytes: the request
/// @param writable the device-writable bytes: the place for the reply
/// @param descriptors how many descriptors describe the buffers, those that only point to an
///     indirect table left out
public record DescriptorChain(int head, Buffers readable, Buffers writable, int descriptors) {}
