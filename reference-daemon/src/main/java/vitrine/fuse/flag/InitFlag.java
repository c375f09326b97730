package vitrine.fuse.flag;

/// What guest and daemon can agree on: `flags` of INIT, and as bits 32 to 63 its `flags2` (fuse.h:
/// FUSE_ASYNC_READ). The guest offers, the daemon takes; what is said here is the effect of taking.
public enum InitFlag implements Flag {
    ASYNC_READ(0, "7.6", "Read-ahead is sent in the background, and may be answered out of order."),
    POSIX_LOCKS(1, "7.7", "Locks of fcntl(2) are the daemon's; otherwise they stay within the guest."),
    FILE_OPS(2, "7.9", "Never used by Linux."),
    ATOMIC_O_TRUNC(3, "7.9", "OPEN and CREATE carry O_TRUNC; no SETATTR follows."),
    EXPORT_SUPPORT(4, "7.9", "LOOKUP may ask for . and .., for file handles."),
    BIG_WRITES(5, "7.9", "A WRITE may carry more than one page."),
    DONT_MASK(6, "7.12", "Modes come unmasked, with the umask beside them."),
    SPLICE_WRITE(7, "7.14", "Means nothing over virtio."),
    SPLICE_MOVE(8, "7.14", "Means nothing over virtio."),
    SPLICE_READ(9, "7.14", "Means nothing over virtio."),
    FLOCK_LOCKS(10, "7.17", "Locks of flock(2) are the daemon's; otherwise they stay within the guest."),
    HAS_IOCTL_DIR(11, "7.18", "An IOCTL may be about a directory."),
    AUTO_INVAL_DATA(12, "7.20", "The guest drops its pages of a file when its mtime or size turns out to be another."),
    DO_READDIRPLUS(13, "7.21", "READDIRPLUS may be used."),
    READDIRPLUS_AUTO(14, "7.21", "READDIRPLUS is used only where it seems to pay."),
    ASYNC_DIO(15, "7.22", "The parts of a large direct transfer are under way together."),
    WRITEBACK_CACHE(16, "7.23", "The guest delays writes, and keeps size, mtime and ctime itself."),
    NO_OPEN_SUPPORT(17, "7.23", "OPEN may be answered with ENOSYS: the guest then opens alone."),
    PARALLEL_DIROPS(18, "7.25", "LOOKUP and READDIR in one directory may run side by side."),
    HANDLE_KILLPRIV(19, "7.26", "The daemon clears set-ID bits and capabilities on write, truncate and chown."),
    POSIX_ACL(20, "7.26", "The guest enforces POSIX ACLs."),
    ABORT_ERROR(21, "7.27", "Reading /dev/fuse after an abort fails with ECONNABORTED."),
    MAX_PAGES(22, "7.28", "max_pages of the reply means something."),
    CACHE_SYMLINKS(23, "7.28", "The guest asks READLINK once per inode."),
    NO_OPENDIR_SUPPORT(24, "7.29", "OPENDIR may be answered with ENOSYS: the guest then opens alone."),
    EXPLICIT_INVAL_DATA(25, "7.30", "The guest drops its pages only when told to."),
    MAP_ALIGNMENT(26, "7.31", "map_alignment of the reply means something; offered only with a DAX window."),
    SUBMOUNTS(27, "7.32", "The guest mounts what is marked ATTR_SUBMOUNT as a file system of its own."),
    HANDLE_KILLPRIV_V2(28, "7.33", "The daemon clears set-ID bits when a request says so, and capabilities always."),
    SETXATTR_EXT(29, "7.33", "SETXATTR has flags of its own: its struct has 16 bytes, not 8."),
    INIT_EXT(30, "7.36", "flags2 means something."),
    INIT_RESERVED(31, "7.36", "Must stay clear."),
    SECURITY_CTX(32, "7.36", "What is created comes with its security context."),
    HAS_INODE_DAX(33, "7.36", "The guest uses DAX for the files marked ATTR_DAX."),
    CREATE_SUPP_GROUP(34, "7.38", "What is created comes with the supplementary group that matters."),
    HAS_EXPIRE_ONLY(35, "7.38", "A notification may let an entry expire instead of dropping it."),
    DIRECT_IO_ALLOW_MMAP(36, "7.39", "A file with FOPEN_DIRECT_IO may be mapped shared."),
    PASSTHROUGH(37, "7.40", "The guest kernel may use backing files; not over virtio."),
    NO_EXPORT_SUPPORT(38, "7.40", "The file system cannot be exported."),
    HAS_RESEND(39, "7.40", "Requests under way may be sent once more after the daemon came back."),
    ALLOW_IDMAP(40, "7.41", "Mounts may map identities; the uid and gid of a request may be -1."),
    OVER_IO_URING(41, "7.42", "Requests may come through io_uring; not over virtio."),
    REQUEST_TIMEOUT(42, "7.43", "The guest gives up requests that take longer than request_timeout.");

    private static final InitFlag[] ALL = values();

    private final long bit;
    private final String since;
    private final String sentence;

    InitFlag(int position, String since, String sentence) {
        this.bit = 1L << position;
        this.since = since;
        this.sentence = sentence;
    }

    /// The names of the flags in `word`, joined by `|`.
    public static String describe(long word) {
        return Flag.describe(word, ALL);
    }

    @Override
    public String cName() {
        return "FUSE_" + name();
    }

    @Override
    public long bit() {
        return bit;
    }

    @Override
    public String since() {
        return since;
    }

    @Override
    public String sentence() {
        return sentence;
    }
}
