/// What a run looks like: pure functions from a moment to strokes of a painter.
///
/// ```
///   Views.ALL, on sheets of vitrine.visualizer.sheet
///        PathView       who speaks to whom for one system call of the guest
///        RingsView      the virtqueue, cell by cell
///        TimelineView   the whole run, however long it is
///        InspectorView  bytes, fields, and where they are specified
///        CachesView, WindowView, CostView, CompareView, DecisionView, CrashView
/// ```
///
/// A view keeps nothing between two pictures, reads no clock and knows no colour. Whatever can be
/// clicked is a named [vitrine.visualizer.paint.Part]; the same thing has the same name in each
/// view, which is how a selection is global. It does *not* change the session: who listens to
/// clicks does.
package vitrine.visualizer.view;
