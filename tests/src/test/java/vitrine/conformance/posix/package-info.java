/// The host's kernel as the daemon uses it, tried on the kernel that is here.
///
/// ```
///   Syscalls, Credentials, WakeUp, UnixSocket ──► this machine's kernel
/// ```
///
/// What the code relies on and a manual page leaves open has a test here, such as an eventfd that
/// is watched edge-triggered and never read.
package vitrine.conformance.posix;
