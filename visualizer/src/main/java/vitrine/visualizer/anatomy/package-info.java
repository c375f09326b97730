/// What the bytes of a request and of its reply mean: struct by struct, field by field.
///
/// ```
///   opcode ──► Anatomy ──► Member (struct, field, offset, length)
///   struct.field ──► Meaning: a sentence, and where it is specified
/// ```
///
/// Offsets and lengths are those of the daemon's own layouts, which a test compares with the
/// kernel's header; nothing here repeats them. This package does *not* draw.
package vitrine.visualizer.anatomy;
