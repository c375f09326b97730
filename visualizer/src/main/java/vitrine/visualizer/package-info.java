/// The window: a picture of everything between a guest's system call and its reply.
///
/// ```
///   trace ──> timeline ──> view ──> paint ──> canvas, SVG, or a recorder for tests
///   (events)  (states)     (one     (rectangle, line, arrow, text, named part)
///                           file
///                           each)
/// ```
///
/// There is no code here yet. What will be: `timeline` folds the events of a trace into immutable
/// states, so that a step back is as cheap as a step forward, and knows nothing of windows; each
/// class in `view` draws one aspect of one state; `paint` is the small set of shapes that it draws
/// with; `scenario` holds the runs worth looking at.
///
/// The window does not run a daemon or a guest of its own making: it looks at a trace, live or
/// from a file, and asks `vitrine.guest` for a new one.
package vitrine.visualizer;
