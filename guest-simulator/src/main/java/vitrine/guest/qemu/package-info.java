/// A real guest: Debian's cloud kernel in QEMU, with one command to run on the share.
///
/// ```
///   GuestKernel ──► Initramfs ──► QEMU ◄──── vhost-user socket ────► a virtiofsd: ours or another
///   (from Debian)   (a Cpio)       │  ▲
///                                  ▼  │ serial ports: control, out, err, in
///                                 GuestRun ──► Result
/// ```
///
/// [vitrine.guest.qemu.QemuGuest] boots in some seconds, without a disk and without a network:
/// everything the guest has lies in an initial file system that is written for each run
/// ([vitrine.guest.qemu.Initramfs]; its first process is the shell script `init` among the
/// resources). The guest mounts the share, runs the command in it and powers off. Kernel messages
/// go to the console, the command's output to serial ports of its own, so the two never mix.
///
/// What is not on this machine comes from Debian and is kept in a cache folder, unpacked but not
/// installed: a kernel ([vitrine.guest.qemu.GuestKernel]), and on demand a QEMU that is newer than
/// the machine's own ([vitrine.guest.qemu.NewerSoftware]).
///
/// It does *not* simulate anything: that is what the rest of `vitrine.guest` does. It knows neither
/// FUSE nor virtqueues, needs no part of our daemon, and runs any program that speaks vhost-user.
package vitrine.guest.qemu;
