/// The window without its screen: runs, pictures, questions.
///
/// ```
///   a scenario ──► Run ──► View ──► RecordingPainter   what is said, and where
///                                └─► SvgPainter        golden files, compared as text
/// ```
package vitrine.conformance.visualizer;
