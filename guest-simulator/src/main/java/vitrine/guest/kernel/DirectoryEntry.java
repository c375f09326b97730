package vitrine.guest.kernel;

/// One entry of a directory, as getdents64(2) gives it.
///
/// @param name its name
/// @param ino the inode number
/// @param type the `DT_` number of its type
public record DirectoryEntry(String name, long ino, int type) {}
