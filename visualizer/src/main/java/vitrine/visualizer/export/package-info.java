/// A run for other tools: Perfetto, a spreadsheet, a sequence diagram, a table for a paper.
///
/// ```
///   Run ──┬─► Perfetto    trace-event JSON: open it in ui.perfetto.dev
///         ├─► Csv         a line an event
///         ├─► Mermaid     one system call as a sequence diagram
///         └─► Tables      two runs side by side, in Markdown
/// ```
///
/// Text only, written as it is made. It does *not* say where to.
package vitrine.visualizer.export;
