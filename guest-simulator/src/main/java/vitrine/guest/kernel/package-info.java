/// A model of the guest's kernel: from a system call to FUSE requests.
///
/// ```
///  GuestProcess ──► GuestKernel        the system calls, as an interface
///                       │
///                LinuxKernel ──┬─► Opening              open, create, close
///                       │          ├─► Namespace, Move      make, move, remove, list
///                       │          ├─► FileIo, WriteBack    read, write, allocate
///                    PathWalk      ├─► AttributeChange      SETATTR, and what is killed with it
///                       │          └─► ExtendedAttributes
///                   InodeCache                              who is known, what FORGET gives back
///                       │
///                   FuseClient ──► Transport                numbers, INIT, errnos
/// ```
///
/// What Linux decides in the guest is decided by [vitrine.guest.kernel.rule], and by
/// [vitrine.guest.kernel.Permission], for virtiofs mounts with `default_permissions`. Which Linux
/// it is, is data ([vitrine.guest.kernel.KernelProfile]).
///
/// It caches nothing: no names, no attributes, and of pages only those that the server has agreed
/// to wait for ([vitrine.guest.kernel.WriteBack]). Another [vitrine.guest.kernel.GuestKernel] may,
/// without a program in the guest noticing more than the requests it saves.
package vitrine.guest.kernel;
