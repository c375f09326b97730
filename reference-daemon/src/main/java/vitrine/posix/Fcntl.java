package vitrine.posix;

/// What `fcntl.h` and its neighbours define for opening, naming, renaming, locking and allocating.
///
/// The values are the *host's*, and the host's only: the flags in a FUSE OPEN are those of the
/// guest's `open(2)`, and four of them ([#O_DIRECTORY], [#O_NOFOLLOW], [#O_DIRECT] and
/// [#O_LARGEFILE]) have different numbers on x86-64 and on AArch64. Guest and host have the same
/// architecture here, since KVM runs guests of its own kind.
public final class Fcntl {

    private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

    // open(2)
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_ACCMODE = 3;
    public static final int O_CREAT = 0100;
    public static final int O_EXCL = 0200;
    public static final int O_NOCTTY = 0400;
    public static final int O_TRUNC = 01000;
    public static final int O_APPEND = 02000;
    public static final int O_NONBLOCK = 04000;
    public static final int O_DSYNC = 010000;
    public static final int O_SYNC = 04010000;
    public static final int O_DIRECT = ARM ? 0200000 : 040000;
    public static final int O_LARGEFILE = ARM ? 0400000 : 0100000;
    public static final int O_DIRECTORY = ARM ? 040000 : 0200000;
    public static final int O_NOFOLLOW = ARM ? 0100000 : 0400000;
    public static final int O_NOATIME = 01000000;
    public static final int O_CLOEXEC = 02000000;
    public static final int O_PATH = 010000000;
    public static final int O_TMPFILE = 020000000 | O_DIRECTORY;

    // the …at(2) calls
    public static final int AT_FDCWD = -100;
    public static final int AT_SYMLINK_NOFOLLOW = 0x100;
    public static final int AT_EACCESS = 0x200; // faccessat
    public static final int AT_REMOVEDIR = 0x200; // unlinkat
    public static final int AT_SYMLINK_FOLLOW = 0x400;
    public static final int AT_NO_AUTOMOUNT = 0x800;
    public static final int AT_EMPTY_PATH = 0x1000;
    public static final int AT_STATX_FORCE_SYNC = 0x2000;
    public static final int AT_STATX_DONT_SYNC = 0x4000;

    // fcntl(2)
    public static final int F_GETFD = 1;
    public static final int F_SETFD = 2;
    public static final int F_GETFL = 3;
    public static final int F_SETFL = 4;
    public static final int F_OFD_GETLK = 36;
    public static final int F_OFD_SETLK = 37;
    public static final int F_OFD_SETLKW = 38;
    public static final int F_DUPFD_CLOEXEC = 1030;
    public static final int F_ADD_SEALS = 1033;
    public static final int F_SEAL_SEAL = 1;
    public static final int F_SEAL_SHRINK = 2;
    public static final int F_SEAL_GROW = 4;
    public static final int F_RDLCK = 0;
    public static final int F_WRLCK = 1;
    public static final int F_UNLCK = 2;

    // flock(2)
    public static final int LOCK_SH = 1;
    public static final int LOCK_EX = 2;
    public static final int LOCK_NB = 4;
    public static final int LOCK_UN = 8;

    // renameat2(2)
    public static final int RENAME_NOREPLACE = 1;
    public static final int RENAME_EXCHANGE = 2;
    public static final int RENAME_WHITEOUT = 4;

    // fallocate(2)
    public static final int FALLOC_FL_KEEP_SIZE = 1;
    public static final int FALLOC_FL_PUNCH_HOLE = 2;
    public static final int FALLOC_FL_COLLAPSE_RANGE = 8;
    public static final int FALLOC_FL_ZERO_RANGE = 16;
    public static final int FALLOC_FL_INSERT_RANGE = 32;
    public static final int FALLOC_FL_UNSHARE_RANGE = 64;

    // lseek(2)
    public static final int SEEK_SET = 0;
    public static final int SEEK_CUR = 1;
    public static final int SEEK_END = 2;
    public static final int SEEK_DATA = 3;
    public static final int SEEK_HOLE = 4;

    // preadv2(2), pwritev2(2)
    public static final int RWF_HIPRI = 1;
    public static final int RWF_DSYNC = 2;
    public static final int RWF_SYNC = 4;
    public static final int RWF_NOWAIT = 8;
    public static final int RWF_APPEND = 16;

    // setxattr(2)
    public static final int XATTR_CREATE = 1;
    public static final int XATTR_REPLACE = 2;

    private Fcntl() {}
}
