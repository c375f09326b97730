package vitrine.posix;

/// What `sys/stat.h` and `linux/stat.h` define: file types, permission bits, and the masks of
/// `statx(2)`.
public final class Stat {

    // the type, in the upper four bits of a mode
    public static final int S_IFMT = 0170000;
    public static final int S_IFSOCK = 0140000;
    public static final int S_IFLNK = 0120000;
    public static final int S_IFREG = 0100000;
    public static final int S_IFBLK = 0060000;
    public static final int S_IFDIR = 0040000;
    public static final int S_IFCHR = 0020000;
    public static final int S_IFIFO = 0010000;

    // set-ID bits, sticky bit, permissions
    public static final int S_ISUID = 04000;
    public static final int S_ISGID = 02000;
    public static final int S_ISVTX = 01000;
    public static final int S_IRWXU = 0700;
    public static final int S_IXGRP = 0010;

    // which fields statx(2) is asked for, and which it filled in
    public static final int STATX_TYPE = 0x1;
    public static final int STATX_MODE = 0x2;
    public static final int STATX_NLINK = 0x4;
    public static final int STATX_UID = 0x8;
    public static final int STATX_GID = 0x10;
    public static final int STATX_ATIME = 0x20;
    public static final int STATX_MTIME = 0x40;
    public static final int STATX_CTIME = 0x80;
    public static final int STATX_INO = 0x100;
    public static final int STATX_SIZE = 0x200;
    public static final int STATX_BLOCKS = 0x400;
    public static final int STATX_BASIC_STATS = 0x7ff;
    public static final int STATX_BTIME = 0x800;
    public static final int STATX_MNT_ID = 0x1000;

    // statx(2)'s attributes
    public static final long STATX_ATTR_COMPRESSED = 0x4;
    public static final long STATX_ATTR_IMMUTABLE = 0x10;
    public static final long STATX_ATTR_APPEND = 0x20;
    public static final long STATX_ATTR_NODUMP = 0x40;
    public static final long STATX_ATTR_ENCRYPTED = 0x800;
    public static final long STATX_ATTR_AUTOMOUNT = 0x1000;
    public static final long STATX_ATTR_MOUNT_ROOT = 0x2000;
    public static final long STATX_ATTR_VERITY = 0x100000;
    public static final long STATX_ATTR_DAX = 0x200000;

    private Stat() {}

    /// Whether a mode is a directory's.
    public static boolean isDirectory(int mode) {
        return (mode & S_IFMT) == S_IFDIR;
    }

    /// Whether a mode is a regular file's.
    public static boolean isRegular(int mode) {
        return (mode & S_IFMT) == S_IFREG;
    }

    /// Whether a mode is a symbolic link's.
    public static boolean isSymlink(int mode) {
        return (mode & S_IFMT) == S_IFLNK;
    }

    /// Whether a mode is a socket's.
    public static boolean isSocket(int mode) {
        return (mode & S_IFMT) == S_IFSOCK;
    }
}
