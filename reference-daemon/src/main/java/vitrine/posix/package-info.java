/// The host kernel, as the man pages describe it.
///
/// ```text
///   Syscalls ─ FileCalls, NameCalls, AttributeCalls, HandleCalls,  errno becomes ErrnoException,
///      │        KernelCalls, FuseCalls; EventFd, UnixSocket, …    names and structs become memory
///      ▼
///    Libc  ───────────────────────────────────────────────────     one interface, one tap
///      ▼
///    the C library, through jnr-ffi
/// ```
///
/// One method makes one system call, so that the calls a request costs can be counted by reading
/// it. Memory for names and structs belongs to the thread ([Scratch]); nothing is allocated
/// natively once a thread has made its first call, and file data is never copied.
///
/// This package decides nothing: it knows no guest, no request and no ring. It also never builds a
/// path from a name that it is given: a name is one component below an open directory.
package vitrine.posix;
