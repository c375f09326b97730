package vitrine.guest.bridge;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// `mount(2)` and `umount2(2)` by paths.
final class MountCalls {

    static final int MNT_FORCE = 1;
    static final int MNT_DETACH = 2;
    static final int MS_NOSUID = 2;
    static final int MS_NODEV = 4;

    private MountCalls() {}

    /// Mounts a file system of no device.
    static void mount(Syscalls sys, Path target, String type, String data) throws ErrnoException {
        try (Arena arena = Arena.ofConfined()) {
            int result = sys.libc()
                    .mount(
                            arena.allocateFrom("vitrine").address(),
                            arena.allocateFrom(target.toString()).address(),
                            arena.allocateFrom(type).address(),
                            MS_NODEV | MS_NOSUID,
                            arena.allocateFrom(data).address());
            checked("mount " + target, result);
        }
    }

    static void unmount(Syscalls sys, Path target, int flags) throws ErrnoException {
        try (Arena arena = Arena.ofConfined()) {
            int result =
                    sys.libc().umount2(arena.allocateFrom(target.toString()).address(), flags);
            checked("umount " + target, result);
        }
    }

    private static void checked(String call, int result) throws ErrnoException {
        if (result == -1) {
            throw new ErrnoException(call, Libc.lastErrno());
        }
    }
}
