/// The guest, put together: [vitrine.guest.Machine].
///
/// ```
///  program      GuestProcess     vitrine.guest.process
///  kernel       GuestKernel      vitrine.guest.kernel
///  driver       VirtioFsDriver   vitrine.guest.driver
///  front end    Frontend         vitrine.guest.frontend       not in the stepped machine
///  ─────────────────────────────────────────────────────────────────────────────
///  device       SteppedDevice, or SocketDevice with a daemon of any make behind it
/// ```
///
/// A real guest, with Linux and QEMU, is in `vitrine.guest.qemu`. The commands of `./vitrine` are
/// in
/// `vitrine.guest.command`.
package vitrine.guest;
