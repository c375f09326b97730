package vitrine.dax;

/// Which file of the host it is: no two have both numbers in common.
///
/// @param device the host's device number
/// @param ino the host's inode number
public record HostFile(long device, long ino) {}
