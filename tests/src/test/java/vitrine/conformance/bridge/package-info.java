/// Properties of the bridge: programs of this host on its own kernel, through virtqueues.
///
/// ```
///   tar, fio, dd ──► Linux ──► /dev/fuse ──► Bridge ──► our daemon, or QEMU's
/// ```
///
/// No test maps a file of the mount into this JVM: a page fault in Java code that the same JVM has
/// to serve may never end.
package vitrine.conformance.bridge;
