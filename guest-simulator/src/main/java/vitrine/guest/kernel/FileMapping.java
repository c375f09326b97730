package vitrine.guest.kernel;

/// Memory of a program in which it sees a file, shared with whoever else does (mmap(2),
/// `MAP_SHARED`).
///
/// @param file the open file; it stays open until the mapping ends
/// @param offset where the memory begins in the file
/// @param length in bytes
/// @param writable whether the program may store
public record FileMapping(OpenFile file, long offset, long length, boolean writable) {}
