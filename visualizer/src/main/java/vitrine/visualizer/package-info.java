/// The window, and everything that can be done with a run without one.
///
/// ```
///   scenario, capture file, live daemon
///        │
///        ▼
///   timeline ──► query        questions
///        ├─────► view ──► paint ──► SVG, pixels, a recorder, the window's canvas
///        └─────► export       other tools
/// ```
///
/// Everything shown comes from the events of a run. A picture is a pure function of the run, a
/// position in it and what the reader has selected, so that back is as cheap as forward, and a test
/// can ask what a picture says. The window does *not* touch a daemon: it looks at a trace, live or
/// from a file, and asks `vitrine.guest` for a new one.
package vitrine.visualizer;
