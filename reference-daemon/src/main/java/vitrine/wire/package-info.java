/// Bytes in the order in which the C headers declare them.
///
/// ```
///    guest memory, in as many parts as the driver likes
///   +---------+  +-----------------+  +----------------+
///   | header  |  | arg| uments     |  | file data ...  |   Buffers: one sequence, no copy
///   +---------+  +-----------------+  +----------------+
///        |            |                     |
///        v            v                     v
///    WireReader: u32, u64, name       take(n): where it lies
///        |                                  |
///    an immutable record (WireStruct)       the iovec of pwritev2
/// ```
///
/// Words are copied, bytes are not. A number or a name is read out of shared memory exactly once,
/// because the guest may change it between two looks; file data is only pointed at. The structs
/// themselves are records elsewhere, each with a `LAYOUT` made of the words of
/// [vitrine.wire.Layouts], so that a test can hold them against the C headers.
///
/// This package knows neither FUSE nor vhost-user nor guest memory, makes no system call, and keeps
/// nothing between two calls.
package vitrine.wire;
