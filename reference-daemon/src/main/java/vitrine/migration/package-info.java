/// What a guest holds, on its way to another daemon.
///
/// ```
///  source: Movable.save ─► StateWriter ─► Pipe ─► front end
///                          └ StateRecord by StateRecord ┘
///  target: Movable.load ◄─ StateReader ◄─ Pipe ◄─ front end
///                          └ each of them a claim ┘
/// ```
///
/// The state is a stream of records with a number of its own version in front and a checksum at the
/// end: `docs/migration.md` has the layout. Nobody waits for a pipe but the thread of a
/// [vitrine.migration.Transfer], and that one not for ever.
///
/// Not here: which files there are, and how they are found again. That is the file system's
/// business.
package vitrine.migration;
