/// One language of questions about a run: for the filter, for breakpoints, for checks, and for
/// `./vitrine query`.
///
/// ```
///   "op == WRITE && size > 4096"
///       │ Lexer, Parser                 QueryException points at the column
///       ▼
///   Node ──► Evaluation ── Fields ──► Mask (a bit for each event) ──► Answer
/// ```
///
/// | form | means |
/// |---|---|
/// | `op == WRITE && size > 4KiB` | requests, by what they say |
/// | `host.syscall == "fgetxattr"` | events: here, system calls of the host |
/// | `lat > 20us && failed` | how long they took, how they ended |
/// | `within(syscall 3)` | whatever the third system call of the guest brought about |
/// | `count(kick) / count(req) < 1.5` | a check: true or false |
/// | `p99(lat, op == READ)` | a number; also sum, min, max, mean, p50, p90 |
///
/// A question about requests selects all their events; one about events selects those. This package
/// does *not* draw, and has no access to files.
package vitrine.visualizer.query;
