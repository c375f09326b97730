/// Linux' FUSE client: from a system call to requests.
///
/// ```
///   LinuxKernel ──┬─► Opening                    open, create, close
///                 ├─► Namespace, Move, Listing   make, move, remove, list
///                 ├─► FileIo ──┬─► PageReads     page cache and read-ahead
///                 │            ├─► WriteBack     what is dirty
///                 │            └─► DirectIo      past the cache
///                 ├─► Space, Mappings            allocate, copy, seek, map
///      PathWalk ◄─┼─► Attributes                 GETATTR, permissions
///                 ├─► AttributeChange            SETATTR, and what is killed with it
///                 └─► ExtendedAttributes, FileFlags, FileLocks
/// ```
///
/// Each class has the calls of one kind, in the order in which Linux does things. What is decided
/// on the way is decided by [vitrine.guest.kernel.rule], what is remembered is in
/// [vitrine.guest.kernel.cache]; both come as one [vitrine.guest.kernel.linux.Mount].
///
/// Any number of threads may call. A file's lock is held where Linux holds it: for writes,
/// truncations, and names made in a directory; not for reads, opens and looks.
package vitrine.guest.kernel.linux;
