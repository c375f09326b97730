/// Decorators that tell a trace what happens on the guest's side.
///
/// ```
///   GuestProcess ──▶ TappedKernel ──▶ GuestKernel                 system calls
///   LinuxKernel ──▶ TappedDecisions                           decisions
///   VirtioFsDriver ──▶ TappedRequestQueue ──▶ RequestQueue        requests, their descriptors
///   FuseQueue ──▶ TappedDoorbell ──▶ Doorbell                     kicks and calls
/// ```
///
/// The daemon's side has its own in `vitrine.tap`, and the same rules hold: a tap implements an
/// interface that exists anyway, changes nothing, and does not exist while nobody watches.
package vitrine.guest.tap;
