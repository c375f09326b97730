package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Native memory of one thread for what its next system call points to.
///
/// Whatever is put here is good for one call: the next one overwrites it. It lives as long as the
/// thread does.
final class Scratch {

    /// The longest path or name, with its NUL (`PATH_MAX`).
    static final int NAME_SIZE = 4096;

    /// How many parts one vectored call can take (`IOV_MAX`, fixed in the kernel).
    static final int IOV_MAX = 1024;

    /// The largest extended attribute, and the largest list of their names (`XATTR_SIZE_MAX`,
    /// `XATTR_LIST_MAX`).
    static final int XATTR_MAX = 65536;

    private static final int IOVEC_SIZE = 16; // void *iov_base, size_t iov_len
    private static final int STRUCT_SIZE = 256; // statx, the largest one
    private static final byte[] PROC_SELF_FD = "/proc/self/fd/".getBytes(StandardCharsets.US_ASCII);
    private static volatile byte[] fdDirectory = PROC_SELF_FD;
    private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment first = arena.allocate(NAME_SIZE);
    private final MemorySegment second = arena.allocate(NAME_SIZE);
    private final MemorySegment iovecs = arena.allocate((long) IOV_MAX * IOVEC_SIZE, Long.BYTES);

    /// For the struct that a call takes or fills in.
    final MemorySegment struct = arena.allocate(STRUCT_SIZE, Long.BYTES);

    private MemorySegment value; // allocated when first needed

    private Scratch() {}

    static Scratch mine() {
        return OF_THREAD.get();
    }

    /// The address of `name` with a NUL behind it.
    long name(String call, Name name) throws ErrnoException {
        return put(call, name, first);
    }

    /// The same for a call's second name.
    long secondName(String call, Name name) throws ErrnoException {
        return put(call, name, second);
    }

    /// The address of a path or text that is not the guest's.
    long text(String call, String text) throws ErrnoException {
        return put(call, Name.of(text), first);
    }

    /// The same for a call's second text.
    long secondText(String call, String text) throws ErrnoException {
        return put(call, Name.of(text), second);
    }

    /// The address of the empty name, which stands for the directory descriptor itself
    /// (`AT_EMPTY_PATH`).
    long noName() {
        first.set(JAVA_BYTE, 0, (byte) 0);
        return first.address();
    }

    /// Makes [#procPath] a path from the working directory, for all threads from now on.
    static void fdDirectoryIsWorkingDirectory() {
        fdDirectory = new byte[0];
    }

    /// Where this process finds its descriptors; empty for the working directory.
    static String fdDirectory() {
        return new String(fdDirectory, StandardCharsets.US_ASCII);
    }

    /// The address of `/proc/self/fd/N`, or of `N` within a [Sandbox]: a path to the file that `fd`
    /// is open on, even if it is open with `O_PATH` only. Following it never follows a symbolic
    /// link that the *guest* made.
    long procPath(Fd fd) {
        byte[] directory = fdDirectory;
        MemorySegment.copy(directory, 0, first, JAVA_BYTE, 0, directory.length);
        int number = fd.number();
        int at = directory.length;
        if (number < 0) {
            first.set(JAVA_BYTE, at++, (byte) '-'); // a closed Fd: no such path, so ENOENT
            number = 1;
        }
        int end = at + digits(number);
        first.set(JAVA_BYTE, end, (byte) 0);
        for (int i = end - 1; i >= at; i--) {
            first.set(JAVA_BYTE, i, (byte) ('0' + number % 10));
            number /= 10;
        }
        return first.address();
    }

    private static int digits(int number) {
        int digits = 1;
        while ((number /= 10) > 0) {
            digits++;
        }
        return digits;
    }

    /// The address of an array of `struct iovec` for up to [#IOV_MAX] parts.
    long iovecs(List<MemorySegment> parts) {
        for (int i = 0; i < parts.size(); i++) {
            MemorySegment part = parts.get(i);
            if (!part.isNative()) {
                throw new IllegalArgumentException("the kernel cannot reach an array on the Java heap");
            }
            long at = (long) i * IOVEC_SIZE;
            iovecs.set(JAVA_LONG, at, part.address());
            iovecs.set(JAVA_LONG, at + 8, part.byteSize());
        }
        return iovecs.address();
    }

    /// The address of `bytes` in one piece: where they lie if they are, otherwise of a copy.
    long inOnePiece(Buffers bytes) {
        if (liesInOnePiece(bytes)) {
            return bytes.parts().getFirst().address();
        }
        long at = 0;
        for (MemorySegment part : bytes.parts()) {
            MemorySegment.copy(part, 0, value(), at, part.byteSize());
            at += part.byteSize();
        }
        return value().address();
    }

    /// Where a call can put up to `into.size()` bytes in one piece, to be [#scatter]ed afterwards.
    long roomFor(Buffers into) {
        return liesInOnePiece(into) ? into.parts().getFirst().address() : value().address();
    }

    /// Brings the `length` bytes that a call has put into [#roomFor] to where they belong.
    void scatter(Buffers into, long length) {
        if (liesInOnePiece(into)) {
            return;
        }
        long at = 0;
        for (MemorySegment part : into.parts()) {
            long size = Math.min(part.byteSize(), length - at);
            MemorySegment.copy(value(), at, part, 0, size);
            at += size;
        }
    }

    /// Up to [#XATTR_MAX] bytes for a value.
    MemorySegment value() {
        if (value == null) {
            value = arena.allocate(XATTR_MAX);
        }
        return value;
    }

    private static boolean liesInOnePiece(Buffers bytes) {
        return bytes.parts().size() == 1 && bytes.parts().getFirst().isNative();
    }

    private static long put(String call, Name name, MemorySegment where) throws ErrnoException {
        int length = name.length();
        if (length >= NAME_SIZE) {
            throw new ErrnoException(call, Errno.ENAMETOOLONG);
        }
        for (int i = 0; i < length; i++) {
            where.set(JAVA_BYTE, i, name.at(i));
        }
        where.set(JAVA_BYTE, length, (byte) 0);
        return where.address();
    }
}
