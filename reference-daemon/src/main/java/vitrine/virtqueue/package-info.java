/// The virtqueue from the device's side: requests come in, the same memory goes back with replies.
///
/// ```
///        driver (guest)                    shared memory                    device (us)
///
///  A  fill descriptors ──────────▶ desc[]      16 bytes each ────────▶ walk the chain
///  B  put the head in the ring ──▶ avail.ring[]  ────────────────────▶ read the head
///  C  move the index on ─────────▶ avail.idx   ══ release/acquire ═══▶ pop
///
///     take the reply ◀──────────── reply bytes ◀────────────────────── 1  write the reply
///     which chain is done? ◀────── used.ring[] ◀────────────────────── 2  put head and length
///     poll ◀══ acquire/release ═══ used.idx    ◀────────────────────── 3  move the index on
/// ```
///
/// No lock is shared, no instruction locks the bus, and neither side trusts the other. What makes
/// it correct is the *order* in which the accesses of one side become visible to the other. Plain
/// stores may become visible in any order, plain loads may be done in any order: by the compiler,
/// and by the processor. So each field has one writer, and each access its order:
///
/// | field | written by | with | read by | with | so the reader knows |
/// |---|---|---|---|---|---|
/// | request, `desc[]`, `avail.ring[]` | driver | plain | device | plain | nothing yet |
/// | `avail.idx` | driver | **release** | device | **acquire** | the request is complete |
/// | reply, `used.ring[]` | device | plain | driver | plain | nothing yet |
/// | `used.idx` | device | **release** | driver | **acquire** | the reply is complete |
/// | events, flags | sleeper | **full fence** after | waker | **full fence** before | one saw it |
///
/// The last row is the hard one. `avail_event` and `used.flags` say when the device wants to be
/// kicked, `used_event` and `avail.flags` when the driver wants to be called. A side about to sleep
/// stores its wish and then looks for work once more; the other side stores new work and then looks
/// for the wish. Release and acquire order neither pair: a store may linger in the processor's
/// store buffer while the load behind it is done. Then both look too early, nobody wakes, nobody is
/// woken. The full fence lets no load pass before the earlier stores are visible, so one of the two
/// must see the other.
///
/// On x86, plain accesses happen to be released and acquired already, and a program without the
/// first four rows seems to work. Only the last row can be seen to fail there. That is why the
/// order is also tested by writing it down: all accesses go through
/// [vitrine.memory.SharedMemory], whose method names are the memory order.
///
/// That was a split queue. A packed one ([PackedRing]) has one ring for everything, and the part of
/// the two indexes is played by two bits in each entry; rows and fences are the same.
///
/// To read: [DeviceQueue] (what a queue can do), [SplitDeviceQueue] (how), then [SplitRing],
/// [RingIndex] and [Descriptor] (where it lies), [ChainWalk] (whom not to trust).
///
/// Not here: what the bytes in a chain mean (`vitrine.fuse`), who waits for kicks and signals
/// calls (`vitrine.session`), which addresses are guest memory (`vitrine.memory`), and the driver's
/// side (`vitrine.guest.driver`, in the guest simulator).
package vitrine.virtqueue;
