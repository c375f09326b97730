/// A guest that moves from one daemon to another, and all that it holds.
///
/// ```
///   a program of the guest ──► Machine ──► the daemon that it has
///                                │ moveTo
///                                └────────► another one, on the same directory or on a copy
/// ```
package vitrine.conformance.migration;
