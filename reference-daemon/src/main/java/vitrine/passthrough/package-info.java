/// The file system: what each request of the guest does to a directory of the host.
///
/// ```
///                     FuseRequest
///                          |
///                    PassthroughFs            the switch, one line a request
///        +-----------------+----+----------------+---------------+
///        |                 |    |                |               |
///  InodeOperations  Directory… File…  XattrOperations    LockOperations
///        |                 |    |                |               |
///     Entries --- InodeTable   HandleTable    Identity      LockTable    nodeid, fh, as whom
///        |                 |    |                |               |
///        +-----------------+----+----------------+---------------+
///                          |
///                 vitrine.posix.Syscalls          the host kernel
/// ```
///
/// A nodeid is an `O_PATH` descriptor, or what opens one, and a count of lookups; a handle is an
/// open descriptor; `vitrine.passthrough.held` keeps both. A path is never built from a guest's
/// names. What the guest may do has been checked by its own kernel (`default_permissions`), with
/// two exceptions for which the host has to know who asks: making files and clearing set-ID bits,
/// see [vitrine.passthrough.Identity].
///
/// The package knows neither rings nor guest memory: data lies in `Buffers` and goes to the system
/// call as it is. It keeps no data and no names, does not watch the host for changes, never
/// waits for a lock. What is in the DAX window is the business of `vitrine.dax`.
package vitrine.passthrough;
