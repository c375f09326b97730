package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/// What `statx(2)` says about a file (`linux/stat.h: struct statx`).
///
/// @param mask which of the fields the kernel filled in, `STATX_…` of [Stat]
/// @param blksize the size in bytes that suits reads and writes; of a hugetlbfs file, its page size
/// @param nlink the number of names
/// @param uid the owner
/// @param gid the group
/// @param mode type and permissions, see [Stat]
/// @param ino the inode number
/// @param size in bytes
/// @param blocks the space in use, in units of 512 bytes
/// @param atime last access
/// @param mtime last change of the data
/// @param ctime last change of the attributes
/// @param btime creation
/// @param rdevMajor of a device file, which driver
/// @param rdevMinor of a device file, which device of the driver
/// @param dev the device number of the file system that the file is on
/// @param mountId the mount through which the file was found: differs where `dev` does not on a
///     bind mount
/// @param attributes `STATX_ATTR_…` of [Stat]
/// @param attributesMask which of them the file system knows
public record FileStatus(
        int mask,
        int blksize,
        int nlink,
        int uid,
        int gid,
        int mode,
        long ino,
        long size,
        long blocks,
        Timespec atime,
        Timespec mtime,
        Timespec ctime,
        Timespec btime,
        int rdevMajor,
        int rdevMinor,
        long dev,
        long mountId,
        long attributes,
        long attributesMask) {

    /// What to ask for to have all of these fields filled in.
    public static final int ALL = Stat.STATX_BASIC_STATS | Stat.STATX_MNT_ID | Stat.STATX_BTIME;

    /// Packs a device number as `dev_t` has it (glibc: `gnu_dev_makedev`).
    public static long deviceNumber(int major, int minor) {
        return (major & 0xfffff000L) << 32 | (major & 0xfffL) << 8 | (minor & 0xffffff00L) << 12 | minor & 0xffL;
    }

    /// The device that a device file stands for, packed.
    public long rdev() {
        return deviceNumber(rdevMajor, rdevMinor);
    }

    /// Reads a `struct statx` at the offsets of its fields.
    static FileStatus read(MemorySegment statx) {
        return new FileStatus(
                statx.get(JAVA_INT, 0),
                statx.get(JAVA_INT, 4),
                statx.get(JAVA_INT, 16),
                statx.get(JAVA_INT, 20),
                statx.get(JAVA_INT, 24),
                Short.toUnsignedInt(statx.get(JAVA_SHORT, 28)),
                statx.get(JAVA_LONG, 32),
                statx.get(JAVA_LONG, 40),
                statx.get(JAVA_LONG, 48),
                time(statx, 64),
                time(statx, 112),
                time(statx, 96),
                time(statx, 80),
                statx.get(JAVA_INT, 128),
                statx.get(JAVA_INT, 132),
                deviceNumber(statx.get(JAVA_INT, 136), statx.get(JAVA_INT, 140)),
                statx.get(JAVA_LONG, 144),
                statx.get(JAVA_LONG, 8),
                statx.get(JAVA_LONG, 56));
    }

    private static Timespec time(MemorySegment statx, int offset) {
        return new Timespec(statx.get(JAVA_LONG, offset), statx.get(JAVA_INT, offset + 8));
    }
}
