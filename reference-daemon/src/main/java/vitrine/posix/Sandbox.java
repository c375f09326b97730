package vitrine.posix;

import static vitrine.posix.Syscalls.checked;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A place that a thread cannot look out of: whatever it is told to open, it finds only what is in
/// the shared directory.
///
/// ```
///   the process              /            the host
///     ├─ JVM's own threads   ┘
///     └─ the one that calls  ┐
///          └─ each queue's   ┴ /          the shared directory; no network either (NAMESPACE)
/// ```
///
/// Linux keeps root and working directory, mount and network namespaces *by thread*, and a new
/// thread has those of who starts it. So the JVM goes on finding its files, while the thread that
/// enters here, and all that it starts later, are inside for good. What a guest could make them do
/// ends there; a hole in the JVM itself would not.
///
/// There is no `/proc` inside, but `/proc/self/fd` is needed to open a file once more. It becomes
/// the working directory, so a path to descriptor 7 is `7`. All threads that make system calls on
/// descriptors by path have to be inside, then.
public enum Sandbox {
    /// None.
    NONE,
    /// chroot(2).
    CHROOT,
    /// A mount namespace in which there is nothing but the shared directory, with all that is
    /// mounted in it now and later, and a network namespace in which there is nothing.
    NAMESPACE;

    static final int CLONE_FS = 0x200;
    private static final int CLONE_NEWNS = 0x20000;
    private static final int CLONE_NEWNET = 0x40000000;
    private static final long MS_BIND = 0x1000;
    private static final long MS_REC = 0x4000;
    private static final long MS_SLAVE = 0x80000;
    private static final int MNT_DETACH = 2;

    /// Lets the calling thread enter. There is no way back.
    ///
    /// @param directory the shared directory, an absolute path
    /// @return the path of the shared directory from inside
    /// @throws ErrnoException if there is no such directory; `EPERM` without `CAP_SYS_ADMIN`
    ///     (chroot: `CAP_SYS_CHROOT`)
    public String enter(Syscalls sys, String directory) throws ErrnoException {
        if (this == NONE) {
            return directory;
        }
        try (Arena arena = Arena.ofConfined();
                Fd share = sys.openPath(directory, Fcntl.O_PATH | Fcntl.O_DIRECTORY);
                Fd descriptors = sys.openPath("/proc/self/fd", Fcntl.O_PATH | Fcntl.O_DIRECTORY)) {
            Libc libc = sys.libc();
            MemorySegment path = arena.allocateFrom(directory);
            if (this == CHROOT) {
                checked("unshare", libc.unshare(CLONE_FS));
                checked("chroot", libc.chroot(path.address()));
            } else {
                checked("unshare", libc.unshare(CLONE_FS | CLONE_NEWNS | CLONE_NEWNET));
                if (!isRoot(share, sys)) {
                    becomeRoot(path, arena, sys);
                }
            }
            checked("fchdir", libc.fchdir(descriptors.number()));
        }
        Scratch.fdDirectoryIsWorkingDirectory();
        return "/";
    }

    private static boolean isRoot(Fd share, Syscalls sys) throws ErrnoException {
        try (Fd root = sys.openPath("/", Fcntl.O_PATH)) {
            FileStatus one = sys.statx(share, Stat.STATX_INO);
            FileStatus other = sys.statx(root, Stat.STATX_INO);
            return one.dev() == other.dev() && one.ino() == other.ino();
        }
    }

    private static void becomeRoot(MemorySegment path, Arena arena, Syscalls sys) throws ErrnoException {
        Libc libc = sys.libc();
        long root = arena.allocateFrom("/").address();
        long here = arena.allocateFrom(".").address();
        // What is mounted outside comes in, what is mounted inside does not get out.
        checked("mount /", libc.mount(0, root, 0, MS_SLAVE | MS_REC, 0));
        checked("mount", libc.mount(path.address(), path.address(), 0, MS_BIND | MS_REC, 0));
        try (Fd share = sys.openPath(path.getString(0), Fcntl.O_PATH | Fcntl.O_DIRECTORY)) { // the mount now
            checked("fchdir", libc.fchdir(share.number()));
        }
        // The old root lies on top of the new one then, and is taken away (pivot_root(2), "NOTES").
        checked("pivot_root", libc.syscall(SyscallNumber.PIVOT_ROOT.number, here, here, 0));
        checked("umount", libc.umount2(here, MNT_DETACH));
    }
}
