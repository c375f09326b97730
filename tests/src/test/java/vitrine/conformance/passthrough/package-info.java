/// The file system without rings: requests as values in, replies and the state of the host out.
///
/// ```
///   FuseRequest ──► PassthroughFs ──► a directory of the host      GuestTwin
///   the same call as a system call ─► its twin                     HostTwin      compared by TwinTest
/// ```
package vitrine.conformance.passthrough;
