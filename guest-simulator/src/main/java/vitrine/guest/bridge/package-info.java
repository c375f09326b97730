/// The host's own Linux kernel as the guest kernel.
///
/// ```
///   your program ── open, read, write ──► Linux ── /dev/fuse ──► Bridge ── virtqueue ──► virtiofsd
///                                                                  (plays the driver and QEMU)
/// ```
///
/// Linux speaks the same FUSE to `/dev/fuse` as to a virtio-fs device. What it says there is read
/// straight into guest memory, described to the device as Linux' virtio-fs driver does, and what
/// the device answers is written back from where it lies. So any program of the host runs over
/// virtqueues and daemon, at the speed of the host and without a virtual machine.
///
/// It is not virtio-fs to the last bit: Linux treats a file system of `/dev/fuse` as one that could
/// hang. It offers no DAX, no submounts and no SYNCFS there, interrupts requests (which the bridge
/// refuses once, then it stops), and sends no DESTROY, which the bridge does in its stead.
package vitrine.guest.bridge;
