/// The DAX window: memory of the guest in which it sees the host's page cache.
///
/// ```
///   guest                                 daemon                                 front end
///
///   SETUPMAPPING ─────────────────► Window.setup ──► Mapper.map ───────────────► maps it, answers,
///     a file, 2 MiB of it,            │                                          announces memory
///     where in the window             └─► EndlessFiles.open                          │
///   reply ◄──────────────────────── not yet … ◄──────────────────────────────────────┘
///
///   loads and stores ══════════════════════════════════════════════════════════► the file's pages
/// ```
///
/// Four things are hard, and each has its class. A mapping takes two sockets and a third party,
/// and nobody may stand still for it: [vitrine.dax.Window]. Files end where no page does, grow and
/// shrink while they are mapped, and QEMU maps nothing behind an end:
/// [vitrine.dax.EndlessFiles]. There are files that nobody may write to, and QEMU maps none of
/// them: the guest sees a copy, [vitrine.dax.PieceCopy]. Whether the host's administrator wants a
/// file to be used so is a mark on it that costs three system calls to read: [vitrine.dax.DaxFlag].
///
/// Not here: how the front end is asked (`vitrine.vhostuser`), which file a request is about
/// (`vitrine.passthrough`), and what becomes of buffers that lie in the window
/// (`vitrine.memory`).
package vitrine.dax;
