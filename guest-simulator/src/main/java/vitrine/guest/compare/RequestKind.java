package vitrine.guest.compare;

/// What is asked for over and over.
public enum RequestKind {
    /// BMAP, which no file system of this kind has: what a request costs that does nothing.
    NOTHING(8),
    /// How full the file system is.
    STATFS(80),
    /// The root's attributes.
    GETATTR(104),
    /// A name that has a nodeid already.
    LOOKUP(128),
    /// A page of a file, somewhere in it.
    READ_4K(4096),
    /// The same to write.
    WRITE_4K(8),
    /// 256 pages, each with a descriptor of its own.
    WRITE_1M(8),
    /// The end of an open file.
    FLUSH(0);

    private final int room;

    RequestKind(int room) {
        this.room = room;
    }

    /// Bytes for the reply behind its header.
    int room() {
        return room;
    }

    /// Whether it needs a file that is open.
    boolean needsFile() {
        return switch (this) {
            case NOTHING, STATFS, GETATTR, LOOKUP -> false;
            case READ_4K, WRITE_4K, WRITE_1M, FLUSH -> true;
        };
    }
}
