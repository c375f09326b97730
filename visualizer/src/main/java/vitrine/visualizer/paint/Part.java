package vitrine.visualizer.paint;

/// A piece of a picture with a name: tooltip, target of a click, and what a screen reader says.
///
/// @param id what it is, such as `request-3` or `desc-7`; views that show the same thing give it
///     the same id, which is how a selection is global
/// @param says a sentence about it, with its present value
/// @param box where it is
public record Part(String id, String says, Box box) {}
