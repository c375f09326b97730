package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/// What `fstatfs(2)` says about a file system (`asm-generic/statfs.h: struct statfs64`).
///
/// @param type the magic number of the kind of file system
/// @param blockSize the size in bytes that suits reads and writes
/// @param blocks the size of the file system, in units of `fragmentSize`
/// @param blocksFree free for root
/// @param blocksAvailable free for everybody
/// @param files how many inodes it has
/// @param filesFree how many of them are free
/// @param id identifies the file system
/// @param nameLength the longest name, in bytes
/// @param fragmentSize the unit of the counts of blocks
/// @param flags how it is mounted (`ST_…`)
public record FileSystemStatus(
        long type,
        long blockSize,
        long blocks,
        long blocksFree,
        long blocksAvailable,
        long files,
        long filesFree,
        long id,
        long nameLength,
        long fragmentSize,
        long flags) {

    /// The type of overlayfs (linux/magic.h: OVERLAYFS_SUPER_MAGIC).
    public static final long OVERLAYFS = 0x794c7630;

    /// The type of tmpfs (TMPFS_MAGIC).
    public static final long TMPFS = 0x01021994;

    /// The type of XFS (XFS_SUPER_MAGIC).
    public static final long XFS = 0x58465342;

    /// The flag of a file system that is mounted read-only (`ST_RDONLY`).
    public static final long READ_ONLY = 1;

    /// Reads a `struct statfs64` at the offsets of its fields.
    static FileSystemStatus read(MemorySegment statfs) {
        return new FileSystemStatus(
                statfs.get(JAVA_LONG, 0),
                statfs.get(JAVA_LONG, 8),
                statfs.get(JAVA_LONG, 16),
                statfs.get(JAVA_LONG, 24),
                statfs.get(JAVA_LONG, 32),
                statfs.get(JAVA_LONG, 40),
                statfs.get(JAVA_LONG, 48),
                statfs.get(JAVA_LONG, 56),
                statfs.get(JAVA_LONG, 64),
                statfs.get(JAVA_LONG, 72),
                statfs.get(JAVA_LONG, 80));
    }
}
