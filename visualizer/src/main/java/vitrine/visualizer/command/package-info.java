/// The commands that look at a run without a screen.
///
/// ```
///   Looking ──┬─► RenderCommand   a moment as SVG, PNG or GIF
///             ├─► DiffCommand     two runs, as a table
///             ├─► QueryCommand    a question, and its answer
///             └─► ExportCommand   for Perfetto, for a spreadsheet, as a sequence diagram
/// ```
///
/// Links, files and queries in, text or pictures and an exit code out. What is drawn and what is
/// found out is in other packages.
package vitrine.visualizer.command;
