/// A program in the guest: [vitrine.guest.process.GuestProcess], with the calls of C's library.
///
/// ```
///  GuestProcess: uid, gid, umask, working directory, fd 3, 4, …  ──► GuestKernel
/// ```
///
/// Descriptors and the working directory are the process's; everything else is its kernel's. There
/// is no scheduler and no memory of its own: a process is an object that one Java thread uses.
package vitrine.guest.process;
