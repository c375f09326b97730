package vitrine.posix;

import java.util.Arrays;
import java.util.HexFormat;

/// What a file system calls one of its files for ever (`struct file_handle`, open_by_handle_at(2)).
///
/// Mostly the inode number and a generation, which tells two files apart that had the same number
/// one after the other. Unlike a descriptor it costs nothing to keep, and it keeps nothing: once
/// the file is gone, the handle is `ESTALE`. It means something only together with the mount that
/// it came from, and to the file system alone: two are the same file if mount and all bytes are
/// equal. A copy of a file system calls its files as the original does.
public final class FileHandle {

    /// The most bytes that one has (`MAX_HANDLE_SZ`, fixed in the kernel).
    public static final int MOST_BYTES = 128;

    private final int type;
    private final byte[] bytes;
    private final int mountId;

    /// @param type which layout the file system chose
    /// @param mountId the mount that the file was reached through, as statx(2) calls it
    FileHandle(int type, byte[] bytes, int mountId) {
        this.type = type;
        this.bytes = bytes;
        this.mountId = mountId;
    }

    /// The same without a mount: as one that came from elsewhere.
    ///
    /// @param type which layout the file system chose
    public static FileHandle of(int type, byte[] bytes) {
        return new FileHandle(type, bytes.clone(), 0);
    }

    /// Which layout the file system chose.
    public int type() {
        return type;
    }

    /// What it is made of; not to be changed.
    public byte[] bytes() {
        return bytes;
    }

    /// Whether a file system that has both means one file by them.
    public boolean isSame(FileHandle other) {
        return type == other.type && Arrays.equals(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileHandle handle
                && handle.type == type
                && handle.mountId == mountId
                && Arrays.equals(handle.bytes, bytes);
    }

    @Override
    public int hashCode() {
        return 31 * type + Arrays.hashCode(bytes);
    }

    /// For example `1:0dc22000027b9b97`.
    @Override
    public String toString() {
        return type + ":" + HexFormat.of().formatHex(bytes);
    }
}
