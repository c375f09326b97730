/// The window: controls around the pictures of `vitrine.visualizer.view`.
///
/// ```
///   ViewCommand ─► Viewer ─► MainPane ── Toolbar, FilterField, GalleryPage, Palette, HelpSheet
///                               │  ├──── ViewPane, RequestList      a View on a Canvas
///                               │  ├──── Command                    every deed, and its keys
///                               │  └──── PartMenu, Breakpoints      what can be asked of a thing
///                               ▼
///                             Desk ── Place ── History              where the reader is, and was
/// ```
///
/// Each deed of the reader changes the [vitrine.visualizer.window.Desk], and whoever shows
/// something of it draws again, once a pulse at most. While nothing is played, nothing moves.
///
/// It does *not* know how a request looks: that is `view`. It asks `scenario` for runs, and never
/// touches a daemon.
package vitrine.visualizer.window;
