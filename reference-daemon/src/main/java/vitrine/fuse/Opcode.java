package vitrine.fuse;

import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.CopyFileRangeOut;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.IoctlOut;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.WriteOut;

/// The requests of the FUSE protocol, in the order of their numbers (fuse.h: enum fuse_opcode).
///
/// A number that is not here is a request that we do not know yet; it is answered with ENOSYS.
public enum Opcode {
    /// Finds a name.
    LOOKUP(1, "7.1", Family.INODE, "finds the inode that a name in a directory stands for"),
    /// Takes lookups back.
    FORGET(2, "7.1", Family.INODE, "takes back lookups of an inode; nothing answers it"),
    /// Reads attributes.
    GETATTR(3, "7.1", Family.INODE, "reads the attributes of an inode"),
    /// Changes attributes.
    SETATTR(4, "7.1", Family.INODE, "changes mode, owner, size or times of an inode"),
    /// Reads a symbolic link.
    READLINK(5, "7.1", Family.INODE, "reads the target of a symbolic link"),
    /// Makes a symbolic link.
    SYMLINK(6, "7.1", Family.DIRECTORY, "makes a symbolic link"),
    /// Makes a file without opening it.
    MKNOD(8, "7.1", Family.DIRECTORY, "makes a file, FIFO, socket or device without opening it"),
    /// Makes a directory.
    MKDIR(9, "7.1", Family.DIRECTORY, "makes a directory"),
    /// Removes a name.
    UNLINK(10, "7.1", Family.DIRECTORY, "removes the name of a file"),
    /// Removes a directory.
    RMDIR(11, "7.1", Family.DIRECTORY, "removes an empty directory"),
    /// Moves a name.
    RENAME(12, "7.1", Family.DIRECTORY, "moves a name, replacing what has the new one"),
    /// Adds a name.
    LINK(13, "7.1", Family.DIRECTORY, "gives a file one more name"),
    /// Opens a file.
    OPEN(14, "7.1", Family.FILE, "opens a file that exists"),
    /// Reads data.
    READ(15, "7.1", Family.FILE, "reads data of an open file"),
    /// Writes data.
    WRITE(16, "7.1", Family.FILE, "writes data to an open file"),
    /// Measures the file system.
    STATFS(17, "7.1", Family.INODE, "tells how large and how full the file system is"),
    /// Gives up an open file.
    RELEASE(18, "7.1", Family.FILE, "gives up an open file after its last close"),
    /// Makes a file durable.
    FSYNC(20, "7.1", Family.FILE, "makes the data of an open file durable"),
    /// Sets an extended attribute.
    SETXATTR(21, "7.1", Family.XATTR, "sets an extended attribute"),
    /// Reads an extended attribute.
    GETXATTR(22, "7.1", Family.XATTR, "reads an extended attribute, or its size"),
    /// Lists extended attributes.
    LISTXATTR(23, "7.1", Family.XATTR, "lists the names of extended attributes, or tells the size of the list"),
    /// Removes an extended attribute.
    REMOVEXATTR(24, "7.1", Family.XATTR, "removes an extended attribute"),
    /// One of the holders of an open file has closed it.
    FLUSH(25, "7.1", Family.FILE, "tells that a descriptor of an open file is closed; its error is close(2)'s"),
    /// Begins a session.
    INIT(26, "7.1", Family.SESSION, "begins the session: versions, limits and features are agreed"),
    /// Opens a directory.
    OPENDIR(27, "7.1", Family.DIRECTORY, "opens a directory"),
    /// Reads entries.
    READDIR(28, "7.1", Family.DIRECTORY, "reads entries of an open directory"),
    /// Gives up an open directory.
    RELEASEDIR(29, "7.1", Family.DIRECTORY, "gives up an open directory after its last close"),
    /// Makes a directory durable.
    FSYNCDIR(30, "7.2", Family.DIRECTORY, "makes an open directory durable"),
    /// Looks for a lock.
    GETLK(31, "7.7", Family.LOCK, "asks which lock would stand in the way"),
    /// Locks, or fails.
    SETLK(32, "7.7", Family.LOCK, "sets or gives up a lock, or fails at once"),
    /// Locks, and waits.
    SETLKW(33, "7.7", Family.LOCK, "sets a lock, and waits until it can"),
    /// Checks permissions.
    ACCESS(34, "7.3", Family.INODE, "checks permissions; Linux checks them itself"),
    /// Makes and opens a file.
    CREATE(35, "7.3", Family.FILE, "makes a file and opens it"),
    /// Gives up waiting.
    INTERRUPT(36, "7.7", Family.SESSION, "tells that nobody waits for a request any more; never sent over virtio"),
    /// Finds a block on a disk.
    BMAP(37, "7.8", Family.INODE, "asks where a block of a file lies on its disk; never sent over virtio"),
    /// Ends a session.
    DESTROY(38, "7.8", Family.SESSION, "ends the session: every inode, handle and mapping goes"),
    /// Does an ioctl(2).
    IOCTL(39, "7.11", Family.FILE, "does an ioctl(2) on an open file"),
    /// Asks for events.
    POLL(40, "7.11", Family.FILE, "asks which events an open file has"),
    /// Answers a notification.
    NOTIFY_REPLY(41, "7.15", Family.SESSION, "brings cached data that the daemon asked for; never sent over virtio"),
    /// Takes lookups of many inodes back.
    BATCH_FORGET(42, "7.16", Family.INODE, "takes back lookups of many inodes; nothing answers it"),
    /// Reserves or frees space.
    FALLOCATE(43, "7.19", Family.FILE, "reserves, frees or zeroes space of an open file"),
    /// Reads entries and looks them up.
    READDIRPLUS(44, "7.21", Family.DIRECTORY, "reads entries of an open directory, and looks each of them up"),
    /// Moves a name, with flags.
    RENAME2(45, "7.23", Family.DIRECTORY, "moves a name without replacing, or exchanges two"),
    /// Looks for data or holes.
    LSEEK(46, "7.24", Family.FILE, "finds the next data or the next hole of an open file"),
    /// Copies within the host.
    COPY_FILE_RANGE(47, "7.28", Family.FILE, "copies from one open file to another within the host"),
    /// Makes a DAX mapping.
    SETUPMAPPING(48, "7.31", Family.DAX, "makes a part of a file appear in the DAX window"),
    /// Removes DAX mappings.
    REMOVEMAPPING(49, "7.31", Family.DAX, "makes parts of the DAX window empty again"),
    /// Makes everything durable.
    SYNCFS(50, "7.34", Family.INODE, "makes the whole file system durable"),
    /// Makes a file without a name.
    TMPFILE(51, "7.37", Family.FILE, "makes a file without a name and opens it"),
    /// Reads more attributes.
    STATX(52, "7.39", Family.INODE, "reads more attributes than GETATTR, such as the time of birth"),
    /// Copies more within the host.
    COPY_FILE_RANGE_64(53, "7.45", Family.FILE, "copies like COPY_FILE_RANGE, and can say that it copied 4 GiB");

    /// Which file holds the request's record, and which class answers it.
    public enum Family {
        /// [SessionRequest]
        SESSION,
        /// [InodeRequest]
        INODE,
        /// [DirectoryRequest]
        DIRECTORY,
        /// [FileRequest]
        FILE,
        /// [XattrRequest]
        XATTR,
        /// [LockRequest]
        LOCK,
        /// [DaxRequest]
        DAX
    }

    private static final Opcode[] BY_NUMBER = new Opcode[54];

    static {
        for (Opcode opcode : values()) {
            BY_NUMBER[opcode.number] = opcode;
        }
    }

    private final int number;
    private final String since;
    private final Family family;
    private final String sentence;

    Opcode(int number, String since, Family family, String sentence) {
        this.number = number;
        this.since = since;
        this.family = family;
        this.sentence = sentence;
    }

    /// The request with this number, or null if we know none.
    public static Opcode of(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    /// The number in the header.
    public int number() {
        return number;
    }

    /// The protocol version that brought it.
    public String since() {
        return since;
    }

    /// The family of its record.
    public Family family() {
        return family;
    }

    /// What it does, in one sentence without its subject.
    public String sentence() {
        return sentence;
    }

    /// Whether the guest waits for a reply. What is not answered has no writable side to answer in.
    public boolean isAnswered() {
        return switch (this) {
            case FORGET, BATCH_FORGET, INTERRUPT, NOTIFY_REPLY -> false;
            default -> true;
        };
    }

    /// How many bytes of structs follow the header of a reply, for a request that changes
    /// something; 0 for others. Without room for them the guest could not learn what has been done,
    /// so it must not be done.
    public int structsAnswered() {
        return (int)
                switch (this) {
                    case LOOKUP, SYMLINK, MKNOD, MKDIR, LINK -> EntryOut.LAYOUT.byteSize();
                    case CREATE, TMPFILE -> EntryOut.LAYOUT.byteSize() + OpenOut.LAYOUT.byteSize();
                    case SETATTR -> AttrOut.LAYOUT.byteSize();
                    case OPEN, OPENDIR -> OpenOut.LAYOUT.byteSize();
                    case WRITE, COPY_FILE_RANGE -> WriteOut.LAYOUT.byteSize();
                    case COPY_FILE_RANGE_64 -> CopyFileRangeOut.LAYOUT.byteSize();
                    case IOCTL -> IoctlOut.LAYOUT.byteSize();
                    case INIT -> InitOut.LAYOUT.byteSize();
                    default -> 0;
                };
    }

    /// Whether a disk or a long copy is likely to keep whoever serves it. Others are done within
    /// microseconds, as long as the host has what they ask for in its memory.
    public boolean mayTakeLong() {
        return switch (this) {
            case FSYNC, FSYNCDIR, SYNCFS, FLUSH, FALLOCATE, COPY_FILE_RANGE, COPY_FILE_RANGE_64 -> true;
            default -> false;
        };
    }

    /// Whether it may end what another request waits for ([Reply.NotYet]): a lock is given up, or a
    /// whole session with all that it holds.
    public boolean mayRelease() {
        return switch (this) {
            case SETLK, SETLKW, FLUSH, RELEASE, INIT, DESTROY -> true;
            default -> false;
        };
    }
}
