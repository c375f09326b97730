/// The guest's memory, seen from the device.
///
/// ```text
///    guest address 0x1_0000_0000 ──▶ GuestMemory ──▶ MemorySegment      (buffers of requests)
///                                        │
///                     mapped from the front end's descriptors
///                                        │
///    ring area ────────────────────▶ MappedMemory is SharedMemory       (words, with their order)
/// ```
///
/// The front end hands over descriptors of the files that the guest's memory is made of; we map
/// them. From then on a guest address is a place in our own memory, if it is one at all: every
/// lookup is checked, because the addresses come from the guest. Buffers are used where they lie.
/// Words that both sides read and write go through [SharedMemory], whose methods say in which
/// order.
///
/// It knows nothing of rings, and it copies nothing.
package vitrine.memory;
