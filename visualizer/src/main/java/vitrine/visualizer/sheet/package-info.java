/// What every picture stands on, whatever it shows.
///
/// ```
///   Subject ──► View ──► Painter
///     run, moment,  │ Look      the few sizes of letters
///     room          │ Captions  what has just happened, and what time it is
///                   │ Rows      lists that say what they do not show
///                   │ Lane      the five stages of a request's way
///                   └ Wording   events in words
/// ```
///
/// A [vitrine.visualizer.sheet.View] is a function of its
/// [vitrine.visualizer.sheet.Subject]; what is the same on each sheet is here, so that they look
/// like pages of one book. It does *not* know any picture: those are `vitrine.visualizer.view`.
package vitrine.visualizer.sheet;
