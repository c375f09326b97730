/// A guest that lies, and what must come of it: an errno or an empty element for the lie, an answer
/// for the next honest request, and nothing at all for the host.
///
/// ```
///   Attack ──► LyingDriver ──► Victim ─┬─ STEPPED  worker and file system on this thread
///     │                                └─ DAEMON   the process, behind a real socket
///     └─ what must not be harmed: the next request, the directory beside the share
/// ```
///
/// Nearly every case here ends the process of at least one daemon that is in use.
package vitrine.conformance.hostile;
