/// The trace: events, the capture file, the taps, and the story that is told from them.
///
/// ```
///   any event ──► CaptureWriter ──► pcapng ──► CaptureReader ──► the same event
///                                     └──────► tshark, which has never heard of us
/// ```
package vitrine.conformance.trace;
