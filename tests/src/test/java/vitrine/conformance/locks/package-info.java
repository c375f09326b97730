/// Locks that somebody waits for, and locks that stay within the guest.
///
/// ```
///   ParkedRequestTest:  ChainList ──► QueueWorker ──► FuseSession ──► a file system with one lock
///   TwoGuestsTest:      two machines, each with a file system of its own ──► one directory
///   LocalLocksTest:     one machine whose server keeps no locks, and locker.c on this host
/// ```
///
/// What the locks themselves mean is tested without rings, in `passthrough`.
package vitrine.conformance.locks;
