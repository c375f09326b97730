package vitrine.posix;

import static vitrine.posix.Syscalls.checked;

import java.lang.foreign.MemorySegment;
import vitrine.wire.Buffers;

/// The label that a security module of the host gives to whatever the calling thread makes, until
/// it is closed (`/proc/thread-self/attr/fscreate`; SELinux: setfscreatecon(3)).
public final class NextLabel implements AutoCloseable {

    private final Libc libc;
    private final Fd file;

    /// Tells the host the label.
    ///
    /// @throws ErrnoException `EINVAL` if it is none, `EACCES` if this thread may not say so
    public NextLabel(Syscalls sys, Buffers label) throws ErrnoException {
        libc = sys.libc();
        file = open(sys);
        try {
            write(label);
        } catch (ErrnoException e) {
            file.close();
            throw e;
        }
    }

    /// Whether the host has a security module that takes labels so.
    public static boolean isTaken(Syscalls sys) {
        MemorySegment room = Scratch.mine().value();
        try (Fd file = open(sys)) {
            return sys.libc().read(file.number(), room.address(), room.byteSize()) >= 0;
        } catch (ErrnoException _) {
            return false;
        }
    }

    private static Fd open(Syscalls sys) throws ErrnoException {
        String thread = "../task/" + sys.gettid();
        return sys.openPath(Scratch.fdDirectory() + thread + "/attr/fscreate", Fcntl.O_RDWR);
    }

    /// In one write(2) to the beginning of the file, as the kernel wants it.
    private void write(Buffers label) throws ErrnoException {
        if (label.size() > Scratch.XATTR_MAX) {
            throw new ErrnoException("a label", Errno.E2BIG);
        }
        long bytes = Scratch.mine().inOnePiece(label);
        checked("write", libc.write(file.number(), bytes, label.size()));
    }

    /// What the thread makes gets the usual label again.
    @Override
    public void close() throws ErrnoException {
        try (file) {
            checked("lseek", libc.lseek(file.number(), 0, Fcntl.SEEK_SET));
            write(Buffers.EMPTY);
        }
    }
}
