/// The vhost-user front end: the part that QEMU plays.
///
/// ```
///   Frontend.connect ──► Conversation ──► FrameStream ═══ socket ═══ any virtio-fs daemon
///       │  features, memory, rings
///       ├─ GuestRam          files in memory, mapped here and by the daemon
///       ├─ FrontendQueue     a ring in that memory, with the eventfds for kick and call
///       └─ WindowRequests ─────── second socket ═══ what the daemon wants in the window:
///              └─ WindowMemory    pieces of its files, mapped into reserved addresses
/// ```
///
/// It sends what QEMU sends, in QEMU's order, and asks for acknowledgements where the chosen
/// QEMU does. The one difference is that it does not wait for ever.
///
/// Not here: what goes into the rings (`vitrine.guest.driver`), and what the guest does with its
/// window (`vitrine.guest.kernel.dax`).
package vitrine.guest.frontend;
