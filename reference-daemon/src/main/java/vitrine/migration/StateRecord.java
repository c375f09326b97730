package vitrine.migration;

import java.util.Arrays;
import vitrine.posix.FileHandle;
import vitrine.posix.Timespec;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireWriter;

/// One piece of what a guest holds. All numbers are little-endian, as everywhere.
public sealed interface StateRecord {

    /// The most bytes that a record has: a path, a handle, and some numbers.
    int MOST_BYTES = 8192;

    /// Which of them it is, in front of each.
    int kind();

    /// Appends its bytes.
    void encode(WireWriter out);

    /// Reads one.
    ///
    /// @throws MalformedException if it is none
    static StateRecord decode(int kind, WireReader in) throws MalformedException {
        return switch (kind) {
            case Session.KIND -> Session.decode(in);
            case File.KIND -> File.decode(in);
            case Open.KIND -> Open.decode(in);
            default -> throw new MalformedException("a record of kind " + Integer.toUnsignedString(kind));
        };
    }

    /// What was agreed on, and how far the counters are: always the first record.
    ///
    /// @param minor the minor version of the protocol; 0 if there is no session
    /// @param flags the flags of INIT that were taken
    /// @param lastNodeid none that is higher was told
    /// @param lastHandle nor a handle
    /// @param generation of the nodeids
    record Session(int minor, long flags, long lastNodeid, long lastHandle, long generation) implements StateRecord {
        static final int KIND = 1;

        static Session decode(WireReader in) throws MalformedException {
            return new Session(in.u32(), in.u64(), in.u64(), in.u64(), in.u64());
        }

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void encode(WireWriter out) {
            out.u32(minor);
            out.u64(flags);
            out.u64(lastNodeid);
            out.u64(lastHandle);
            out.u64(generation);
        }
    }

    /// A file for which the guest has a nodeid, and by what it is found.
    ///
    /// @param nodeid what the guest calls it
    /// @param lookups how often it was told so
    /// @param type one of the `S_IF…` types
    /// @param birth when it was made, as the source's host says
    /// @param path from the shared directory, without a slash in front; null if there is none
    /// @param handle what its file system calls it; null if that was not asked, or there is none
    record File(long nodeid, long lookups, int type, Timespec birth, byte[] path, FileHandle handle)
            implements StateRecord {
        static final int KIND = 2;

        private static final int NONE = -1;

        static File decode(WireReader in) throws MalformedException {
            return new File(
                    in.u64(), in.u64(), in.u32(), new Timespec(in.u64(), in.u32()), decodeBytes(in), decodeHandle(in));
        }

        private static byte[] decodeBytes(WireReader in) throws MalformedException {
            int length = in.u32();
            return length == NONE ? null : in.bytes(length);
        }

        private static FileHandle decodeHandle(WireReader in) throws MalformedException {
            int type = in.u32();
            byte[] bytes = decodeBytes(in);
            if (bytes != null && bytes.length > FileHandle.MOST_BYTES) {
                throw new MalformedException("a file handle of " + bytes.length + " bytes");
            }
            return bytes == null ? null : FileHandle.of(type, bytes);
        }

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void encode(WireWriter out) {
            out.u64(nodeid);
            out.u64(lookups);
            out.u32(type);
            out.u64(birth.seconds());
            out.u32(birth.nanos());
            encode(path, out);
            out.u32(handle == null ? 0 : handle.type());
            encode(handle == null ? null : handle.bytes(), out);
        }

        private static void encode(byte[] bytes, WireWriter out) {
            out.u32(bytes == null ? NONE : bytes.length);
            out.bytes(bytes == null ? new byte[0] : bytes);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof File file
                    && nodeid == file.nodeid
                    && lookups == file.lookups
                    && type == file.type
                    && birth.equals(file.birth)
                    && Arrays.equals(path, file.path)
                    && (handle == null ? file.handle == null : handle.equals(file.handle));
        }

        @Override
        public int hashCode() {
            return Long.hashCode(nodeid);
        }
    }

    /// An open file or directory. Where a directory's listing goes on is not kept: the guest says
    /// it in each request, in marks of the host's file system.
    ///
    /// @param fh the guest's number for it
    /// @param nodeid the file
    /// @param directory whether it is a directory
    /// @param flags of open(2) on the host
    /// @param writable whether the guest asked to write to it
    record Open(long fh, long nodeid, boolean directory, int flags, boolean writable) implements StateRecord {
        static final int KIND = 3;

        static Open decode(WireReader in) throws MalformedException {
            return new Open(in.u64(), in.u64(), in.u8() != 0, in.u32(), in.u8() != 0);
        }

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void encode(WireWriter out) {
            out.u64(fh);
            out.u64(nodeid);
            out.u8(directory ? 1 : 0);
            out.u32(flags);
            out.u8(writable ? 1 : 0);
        }
    }
}
