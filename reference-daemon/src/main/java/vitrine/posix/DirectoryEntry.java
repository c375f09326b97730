package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import vitrine.wire.Name;

/// One entry of a directory as `getdents64(2)` answers it (`struct linux_dirent64`).
///
/// @param ino the inode number; of a mount point, that of the directory beneath the mount
/// @param offset where the *next* entry is, for `lseek`; no distance, just a mark
/// @param recordLength the size of this record; the next one lies behind it
/// @param type the type of the file, `S_IFMT >> 12`, or 0 if the file system does not know
/// @param name one component; `.` and `..` come as well
public record DirectoryEntry(long ino, long offset, int recordLength, int type, Name name) {

    private static final int NAME = 19; // where the name begins

    /// Reads the entry that begins at `at` in what [Syscalls#getdents64] has filled.
    public static DirectoryEntry read(MemorySegment entries, long at) {
        int recordLength = Short.toUnsignedInt(entries.get(JAVA_SHORT_UNALIGNED, at + 16));
        int length = 0;
        while (entries.get(JAVA_BYTE, at + NAME + length) != 0) {
            length++;
        }
        byte[] name = new byte[length];
        MemorySegment.copy(entries, JAVA_BYTE, at + NAME, name, 0, length);
        return new DirectoryEntry(
                entries.get(JAVA_LONG_UNALIGNED, at),
                entries.get(JAVA_LONG_UNALIGNED, at + 8),
                recordLength,
                Byte.toUnsignedInt(entries.get(JAVA_BYTE, at + 18)),
                Name.of(name));
    }
}
