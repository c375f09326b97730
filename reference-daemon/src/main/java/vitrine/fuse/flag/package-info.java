/// The words of flags of `<linux/fuse.h>`, an enum for each.
///
/// ```
///   write_flags   0 0 1 0 1     WriteFlag.KILL_SUIDGID.in(word)    true
///                     │   └──   WriteFlag.CACHE.in(word)           true
///                     └──────   WriteFlag.describe(word)           CACHE|KILL_SUIDGID
/// ```
///
/// Words stay numbers in the structs and are asked one bit at a time, which costs nothing and keeps
/// bits that nobody has named yet. Every flag says since which protocol version it exists and
/// what it means, for the trace and for the window.
///
/// Flags of the system calls that the protocol only passes on (`O_APPEND`, `RENAME_EXCHANGE`,
/// `STATX_BTIME`) are not here; they are in `vitrine.posix`.
package vitrine.fuse.flag;
