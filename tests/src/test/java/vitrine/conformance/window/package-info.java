/// The window, without a screen: its controls, its keys, and what it looks like.
///
/// ```
///   Screen ─► one toolkit, one stage, a robot ─► WindowTest      what a reader does
///      └────► snapshots of scenes ─────────────► PictureTest     what a reader sees
/// ```
///
/// One toolkit serves all tests of the JVM: to start it takes longer than they do.
package vitrine.conformance.window;
