/// A real Linux in QEMU on a virtiofsd.
///
/// ```
///   guest: work.sh on the share ──► tree ─┐
///                                         ├─ describe.sh ─► equal?
///   host:  work.sh beside it    ──► twin ─┘
/// ```
///
/// The same tests run with our daemon and with QEMU's own in C: what holds for that one too is
/// about virtio-fs and not about us. What a *model* of a guest can show is tested elsewhere, and
/// much faster.
package vitrine.conformance.qemu;
