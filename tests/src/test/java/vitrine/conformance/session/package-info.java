/// From a kick to a reply: errors that become answers, and the loop that must neither lose a request
/// nor sleep too early.
///
/// ```
///   Bench:  DriverQueue ──► ring ──► QueueWorker ──► FuseSession ──► a file system of two lines
/// ```
package vitrine.conformance.session;
