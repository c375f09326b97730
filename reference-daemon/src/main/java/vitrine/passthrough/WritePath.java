package vitrine.passthrough;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.WireWriter;

/// How the data of a WRITE gets into the host's file: gathered, unless somebody wants to see what
/// another way costs.
///
/// A guest's write of 1 MiB lies in 256 pages that are nowhere near each other. No way allocates
/// memory for it.
public enum WritePath {
    /// The host's kernel gathers the pieces from where the guest has put them.
    GATHERED {
        @Override
        Way by(Syscalls sys) {
            return sys::pwritev2;
        }
    },
    /// The pieces are first copied into one, so that the kernel copies them once more. Of a request
    /// larger than was agreed in INIT the end stays unwritten, as of any write that was short.
    BOUNCED {
        @Override
        Way by(Syscalls sys) {
            return (fd, data, offset, flags) -> {
                Buffers some = data.slice(0, Math.min(data.size(), Negotiation.MAX_WRITE));
                MemorySegment copy = BOUNCE.get().asSlice(0, some.size());
                new WireWriter(Buffers.of(copy)).buffers(some);
                return sys.pwritev2(fd, Buffers.of(copy), offset, flags);
            };
        }
    },
    /// A system call for each piece, as the first virtiofsd had it. What is appended so is not
    /// there all at once.
    PIECEWISE {
        @Override
        Way by(Syscalls sys) {
            return (fd, data, offset, flags) -> {
                long written = 0;
                for (MemorySegment piece : data.parts()) {
                    long accepted = sys.pwritev2(fd, Buffers.of(piece), offset + written, flags);
                    written += accepted;
                    if (accepted < piece.byteSize()) {
                        break; // a short write is the host's right
                    }
                }
                return written;
            };
        }
    };

    private static final ThreadLocal<MemorySegment> BOUNCE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Negotiation.MAX_WRITE));

    /// The way itself, chosen once.
    abstract Way by(Syscalls sys);

    /// Writes as [Syscalls#pwritev2] does.
    @FunctionalInterface
    interface Way {
        long write(Fd fd, Buffers data, long offset, int flags) throws ErrnoException;
    }
}
