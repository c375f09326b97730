/// Bytes that nobody chose, for everything that takes bytes from a stranger.
///
/// ```
///   ./vitrine fuzz ──► Fuzz ──► Jazzer (a process) ──► FuzzEntry ──► FuzzTarget
///   ./vitrine test ──► FuzzTest ──┘   looks for bytes that reach what none reached before
///                         └──► the bytes that were worth keeping, once each
/// ```
///
/// A property makes requests that are nearly right, from what its author knows of them. Here the
/// code itself says what is interesting: an input that reaches a branch for the first time is kept,
/// and changed further.
///
/// Not here: what should come of a lie that is known. That is for `vitrine.conformance.hostile`.
package vitrine.conformance.fuzz;
