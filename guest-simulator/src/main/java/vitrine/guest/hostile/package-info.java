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
/// daemons can be lied to as well.
///
/// Not here: which lies there are, and what should come of them. That is for tests to say.
package vitrine.guest.hostile;
