/// Locks that somebody waits for.
///
/// ```
///   ParkedRequestTest:  ChainList ──► QueueWorker ──► FuseSession ──► a file system with one lock
///   TwoGuestsTest:      two machines, each with a file system of its own ──► one directory
/// ```
///
/// What the locks themselves mean is tested without rings, in `passthrough`.
package vitrine.conformance.locks;
