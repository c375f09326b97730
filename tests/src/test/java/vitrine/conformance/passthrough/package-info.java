/// The file system without rings: requests as values in, replies and the state of the host out.
///
/// ```
///   FuseRequest ──► PassthroughFs ──► a directory of the host      GuestTwin
///   the same as a system call ──► its twin                    HostTwin (TwinTest compares)
/// ```
package vitrine.conformance.passthrough;
