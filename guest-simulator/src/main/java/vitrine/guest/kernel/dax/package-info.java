/// What the guest's kernel does with the DAX window (`fs/fuse/dax.c` in Linux).
///
/// ```
///  LinuxDax ──► WindowRanges ──► DaxWindow            loads and stores: no request
///     │             │  ├─ free     slots of 2 MiB, first in, first out
///     │             │  └─ busy     the oldest goes first
///     │         FileRanges        which 2 MiB of a file are in which slot
///     │             │
///     └─────────────┴──► DaxRequests        SETUPMAPPING, REMOVEMAPPING; WRITE, if a file grows
/// ```
///
/// The window is smaller than the files, so ranges are taken from one file for another all the
/// time. Whose turn it is, and what a write does that makes a file longer, are rules
/// ([vitrine.guest.kernel.rule.WindowUse]).
///
/// Not here: whether data takes this way ([vitrine.guest.kernel.rule.DataPath]), and what the
/// device and the front end do to make a piece of a file appear (`vitrine.dax`,
/// `vitrine.guest.frontend`).
package vitrine.guest.kernel.dax;
