/// The vhost-user front end: the part that QEMU plays.
///
/// ```
///   Frontend.connect ──► Conversation ──► FrameStream ═══ socket ═══ any virtio-fs daemon
///       │  features, memory, rings
///       ├─ GuestRam          files in memory, mapped here and by the daemon
///       └─ FrontendQueue     a ring in that memory, with the eventfds for kick and call
/// ```
///
/// It sends what QEMU sends, in QEMU's order, and asks for acknowledgements where the chosen
/// QEMU does. The one difference is that it does not wait for ever.
///
/// Not here: what goes into the rings (`vitrine.guest.driver`), answers to requests of the back end
/// on the second socket (none is sent yet).
package vitrine.guest.frontend;
