/// A model of the guest's virtio-fs driver: from FUSE requests to descriptors in guest memory.
///
/// ```
///  FuseClient ──► Transport = VirtioFsDriver ──► FuseQueue ──► DriverQueue     the ring
///                       │                            │
///                   GuestPages                    Doorbell                     kick and call
///             where requests lie              an eventfd, or a step
/// ```
///
/// [vitrine.guest.driver.SplitDriverQueue] is the mirror of `SplitDeviceQueue` and is best read
/// beside it. Requests are laid out as Linux lays them out, but descriptors are taken at random,
/// for a driver that takes them in order hides the device's mistakes.
///
/// A guest that lies is another one: see `vitrine.guest.hostile`.
package vitrine.guest.driver;
