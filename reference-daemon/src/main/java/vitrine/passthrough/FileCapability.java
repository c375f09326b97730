package vitrine.passthrough;

import vitrine.passthrough.held.Inode;
import vitrine.passthrough.held.OpenFile;
import vitrine.passthrough.translation.XattrMap;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// What a program may do more than who runs it (capabilities(7)), and who changes the program must
/// not inherit.
///
/// The host's kernel takes the attribute `security.capability` away from a file that is changed.
/// But it knows it by that name only. Where an [XattrMap] keeps it under another one, a user could
/// put a program of their own into a file to which root has given capabilities (CVE-2021-20263).
/// So there each change of data is preceded by a removal, one system call. That a file had none a
/// moment ago is no reason to leave it out: any guest or process may have given it some.
///
/// The order is that of the host's kernel (mm/filemap.c: file_remove_privs): what forbids the
/// change, the removal, the change. If the daemon dies in between, no changed program has them. So
/// what can be known to change nothing is left out beforehand: no bytes, a handle that is not open
/// for writing, a program that runs. What only the host's file system knows, that there is no such
/// mode of FALLOCATE, or no room, costs the capabilities although nothing changes: then root has to
/// give them again, and nobody has got any.
final class FileCapability {

    private static final Name IN_THE_GUEST = Name.of("security.capability");

    private final Syscalls sys;
    private final Name onHost; // null if the host's kernel does it

    FileCapability(Syscalls sys, XattrMap map) {
        this.sys = sys;
        this.onHost = nameOnHost(map);
    }

    private static Name nameOnHost(XattrMap map) {
        try {
            Name name = map.toHost(IN_THE_GUEST);
            return name.equals(IN_THE_GUEST) ? null : name;
        } catch (ErrnoException _) {
            return null; // no guest can give a file any
        }
    }

    /// The data of an open file is about to be changed, if the guest has opened it for that.
    void removeFrom(OpenFile file) throws ErrnoException {
        if (file.writable()) {
            removeFrom(file.fd());
        }
    }

    /// A file is about to be truncated by its name, if that may be: not while it runs (`ETXTBSY`).
    void removeBeforeTruncating(Inode file) throws ErrnoException {
        if (onHost != null && Stat.isRegular(file.type())) {
            try (Fd writing = sys.reopen(file.fd(), Fcntl.O_WRONLY)) {
                removeFrom(writing);
            }
        }
    }

    /// The same for a file that is open for writing on the host.
    void removeFrom(Fd open) throws ErrnoException {
        if (onHost != null) {
            try {
                sys.fremovexattr(open, onHost);
            } catch (ErrnoException e) {
                requireNone(e);
            }
        }
    }

    /// A file has got another owner.
    void removeFrom(Inode file) throws ErrnoException {
        if (onHost != null && Stat.isRegular(file.type())) {
            try {
                sys.removexattr(file.fd(), onHost);
            } catch (ErrnoException e) {
                requireNone(e);
            }
        }
    }

    /// That there was nothing to remove is no failure. With any other, the file must not change.
    private static void requireNone(ErrnoException e) throws ErrnoException {
        if (e.errno() != Errno.ENODATA && e.errno() != Errno.EOPNOTSUPP) {
            throw e;
        }
    }
}
