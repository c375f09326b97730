/// A guest that lies.
///
/// ```
///   bytes, descriptors, heads, indexes ──► LyingDriver ──► the ring, as they are ──► a device
///                                              ▲                                        │
///                                              └───────────── Returned ◄────────────────┘
/// ```
///
/// A guest's kernel can write anything into the memory that it shares with the device, and a
/// guest's kernel can be an attacker's. This package writes what a driver never would, one request
/// at a time, and looks at what comes back. It works with any device behind any ring, so other
/// daemons can be lied to as well:
///
/// ```
///   HostileCommand ──► Subject ──► Listener         a daemon, started anew when a lie has ended it
///          │              ├──────► Session          an honest guest, until it tells
///          ▼              │           └──► Lie      one of RequestLies, NumberLies, ChainLies …
///    HostileTable ◄── Outcome                       answered, silent, ended?
/// ```
///
/// Not here: what only our own daemon is held to, and most lies of a front end, which is the host's
/// own side. Those are in the tests.
package vitrine.guest.hostile;
