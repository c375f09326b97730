package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/// A message with descriptors, laid out as `sendmsg(2)` and `recvmsg(2)` want it.
///
/// ```text
///   struct msghdr ──▶ struct iovec ──▶ bytes
///         └─────────▶ struct cmsghdr { length, SOL_SOCKET, SCM_RIGHTS } int fd[]
/// ```
final class SocketMessage {

    /// More descriptors than these in one message are refused by the kernel (`SCM_MAX_FD`).
    static final int MOST_FDS = 253;

    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_CTRUNC = 8;
    private static final int CONTROL_HEADER = 16; // size_t cmsg_len; int cmsg_level, cmsg_type

    // struct msghdr
    private static final int HEADER_SIZE = 56;
    private static final int IOV = 16;
    private static final int IOV_LENGTH = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int FLAGS = 48;

    private final MemorySegment header;
    private final MemorySegment control;

    private SocketMessage(MemorySegment bytes, int fds, SegmentAllocator allocator) {
        if (!bytes.isNative()) {
            throw new IllegalArgumentException("the kernel cannot reach an array on the Java heap");
        }
        MemorySegment iovec = allocator.allocate(16, Long.BYTES);
        iovec.set(JAVA_LONG, 0, bytes.address());
        iovec.set(JAVA_LONG, 8, bytes.byteSize());
        header = allocator.allocate(HEADER_SIZE, Long.BYTES);
        header.set(JAVA_LONG, IOV, iovec.address());
        header.set(JAVA_LONG, IOV_LENGTH, 1);
        control = fds == 0 ? MemorySegment.NULL : allocator.allocate(aligned(CONTROL_HEADER + 4L * fds), Long.BYTES);
        header.set(JAVA_LONG, CONTROL, control.address());
        header.set(JAVA_LONG, CONTROL_LENGTH, control.byteSize());
    }

    /// To be received into `bytes`, with room for as many descriptors as can come.
    static SocketMessage toReceive(MemorySegment bytes, SegmentAllocator allocator) {
        return new SocketMessage(bytes, MOST_FDS, allocator);
    }

    /// To be sent, with the descriptors' numbers.
    static SocketMessage toSend(MemorySegment bytes, List<Fd> fds, SegmentAllocator allocator) {
        SocketMessage message = new SocketMessage(bytes, fds.size(), allocator);
        if (!fds.isEmpty()) {
            message.control.set(JAVA_LONG, 0, CONTROL_HEADER + 4L * fds.size());
            message.control.set(JAVA_INT, 8, SOL_SOCKET);
            message.control.set(JAVA_INT, 12, SCM_RIGHTS);
            for (int i = 0; i < fds.size(); i++) {
                message.control.set(
                        JAVA_INT, CONTROL_HEADER + 4L * i, fds.get(i).number());
            }
        }
        return message;
    }

    /// Where the `struct msghdr` lies.
    long address() {
        return header.address();
    }

    /// The descriptors that were received; they are ours from now on.
    List<Fd> fds(Libc libc) {
        List<Fd> fds = new ArrayList<>();
        long end = header.get(JAVA_LONG, CONTROL_LENGTH); // as far as the kernel filled it
        long at = 0;
        while (at + CONTROL_HEADER <= end) {
            long length = control.get(JAVA_LONG, at);
            if (control.get(JAVA_INT, at + 8) == SOL_SOCKET && control.get(JAVA_INT, at + 12) == SCM_RIGHTS) {
                for (long i = at + CONTROL_HEADER; i + 4 <= at + length; i += 4) {
                    fds.add(new Fd(control.get(JAVA_INT, i), libc));
                }
            }
            at += aligned(Math.max(length, CONTROL_HEADER));
        }
        return fds;
    }

    /// Whether descriptors were lost on their way, because this process may not have more.
    boolean lostFds() {
        return (header.get(JAVA_INT, FLAGS) & MSG_CTRUNC) != 0;
    }

    private static long aligned(long size) {
        return (size + 7) & -8;
    }
}
