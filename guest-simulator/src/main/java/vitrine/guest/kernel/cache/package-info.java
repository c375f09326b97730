/// What the guest's kernel knows of files.
///
/// ```
///  LinuxFile ──► GuestInode ◄── InodeCache           who is known, what FORGET gives back
/// ```
///
/// It sends nothing but FORGET.
package vitrine.guest.kernel.cache;
