package vitrine.memory;

/// Words of memory that another program reads and writes at the same time.
///
/// The method's name is the order that it keeps, as the compiler and the processor are bound to it:
///
/// - `load…`, `store…`: none. What one side stores, the other may see late, and in another order.
/// - [#loadAcquire16]: what follows it in the program happens after it.
/// - [#storeRelease16]: what precedes it in the program happens before it. Whoever loads its value
///   with acquire, sees all of that.
/// - [#fullFence]: what precedes it happens before what follows it, *stores before loads included*,
///   which neither acquire nor release gives.
///
/// Offsets are in bytes from the start of one ring area. All words are little-endian, as virtio 1
/// has them (virtio 1.3, 1.4).
///
/// An offset outside the area, or one that splits a word over its natural boundary where the order
/// counts, is an error of ours: [IndexOutOfBoundsException], [IllegalArgumentException].
public interface SharedMemory {

    /// Loads 16 bits, in no particular order.
    short load16(long offset);

    /// Loads 32 bits, in no particular order.
    int load32(long offset);

    /// Loads 64 bits, in no particular order.
    long load64(long offset);

    /// Stores 16 bits, in no particular order.
    void store16(long offset, short value);

    /// Stores 32 bits, in no particular order.
    void store32(long offset, int value);

    /// Stores 64 bits, in no particular order.
    void store64(long offset, long value);

    /// Loads 16 bits; everything after this call happens after the load.
    short loadAcquire16(long offset);

    /// Stores 16 bits; everything before this call happens before the store.
    void storeRelease16(long offset, short value);

    /// Everything before this call happens before everything after it.
    void fullFence();
}
