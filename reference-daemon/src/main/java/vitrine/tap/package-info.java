/// Decorators that tell a trace what passes through them.
///
/// ```
///   Backend ──▶ TappedConnection ──▶ Connection                    messages of vhost-user
///   Backend ──▶ TappedDevice ──▶ VirtioDevice                      sets the next two for each ring
///   QueueWorker ──▶ TappedQueue ──▶ DeviceQueue                    chains popped and pushed
///   QueueWorker ──▶ TappedEventFd ──▶ EventFd                      kicks and calls
///   SplitRing ──▶ TappedMemory ──▶ SharedMemory                    each access, with its order
///   FuseSession ──▶ TappedFileSystem ──▶ FileSystem                requests and replies
///   Syscalls ──▶ TappedLibc ──▶ Libc                               system calls of the host
/// ```
///
/// Each one implements an interface that exists anyway, passes everything on, and adds events to a
/// [vitrine.trace.Recorder]. Whoever puts a daemon or a machine together chooses which taps to set;
/// without them the trace is not even loaded, so that watching costs nothing while nobody watches.
/// A tap does *not* change what it sees: results, exceptions and `errno` are those of what it
/// wraps.
package vitrine.tap;
