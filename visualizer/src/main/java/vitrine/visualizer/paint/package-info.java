/// Drawing without a screen: six verbs, three back ends that need no window, and the colours.
///
/// ```
///   a view ──► Painter ──┬─► SvgPainter          a picture as text
///      │                 ├─► ImagePainter        a picture as pixels
///      │                 ├─► RecordingPainter    what a test asks about
///      │                 └─► (the window's own)
///      └─► Token ──► Theme: which colour that is today
/// ```
///
/// A view says *what* it draws in [vitrine.visualizer.paint.Token]s, never which colour. It
/// measures text by [vitrine.visualizer.paint.Typeface], which reads the fonts that are bundled, so
/// that all back ends break and shorten it at the same letter. This package does *not* know what is
/// drawn: no event, no request.
package vitrine.visualizer.paint;
