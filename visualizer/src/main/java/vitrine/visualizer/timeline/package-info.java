/// A run to walk about in: what happened, put into columns, joined, and foldable to any moment.
///
/// ```
///   TraceEvents, or a capture file
///        │ RunBuilder
///        ▼
///   Run ── Columns ── Words            each event once, in primitive arrays
///    ├──── Spans ── Pyramid            what took how long; many of them at a glance
///    ├──── Stories                     which events belong to which request and system call
///    ├──── Keyframes ── State          everything at moment n: a fold, never a special case
///    └──── Anchors                     names of moments: `first-getxattr`, `request-3`
///   Session                            where the reader is: position, selection, filter, zoom
/// ```
///
/// A run never changes. A *position* is a number of events that have happened, 0 to `size()`; the
/// state there is the fold of those events, so that going back is the same as going forward, and as
/// cheap. This package does *not* draw, and knows no program and no daemon.
package vitrine.visualizer.timeline;
