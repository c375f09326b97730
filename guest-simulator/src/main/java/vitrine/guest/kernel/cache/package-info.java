/// What the guest's kernel remembers, and for how long.
///
/// ```
///   LinuxFile ──► GuestInode ◄── Dentry ◄── Dentries      open files, files, names
///                  │      ▲
///           PageCache     └── InodeCache ──► FORGET        data; who is known
/// ```
///
/// Locks, the outermost first: a file's own ([vitrine.guest.kernel.cache.GuestInode#lock], Linux'
/// `i_rwsem`), which is held over the requests of a write; its page cache's, held over READ; the
/// monitors of names, inodes and attributes, never held over a request.
///
/// It decides by [vitrine.guest.kernel.rule], and sends nothing but FORGET. Who asks for what is
/// missing is [vitrine.guest.kernel.linux].
package vitrine.guest.kernel.cache;
