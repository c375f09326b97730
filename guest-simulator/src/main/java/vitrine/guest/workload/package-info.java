/// Work for a guest, and what it takes.
///
/// ```
///    WhichGuest ──► SimulatedGuest ──► Machine ──► our daemon, in this process
///     options                             └──────► any daemon, behind a socket
/// ```
///
/// It measures what a program in the guest would see. What a request costs the daemon alone is the
/// business of [vitrine.guest.compare].
package vitrine.guest.workload;
