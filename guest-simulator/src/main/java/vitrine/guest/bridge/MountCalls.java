package vitrine.guest.bridge;

import java.nio.file.Path;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;
import vitrine.posix.ErrnoException;

/// `mount(2)` and `umount2(2)`, which the daemon has no use for.
final class MountCalls {

    static final int MNT_FORCE = 1;
    static final int MNT_DETACH = 2;
    static final int MS_NOSUID = 2;
    static final int MS_NODEV = 4;

    private static final Library LIBRARY = LibraryLoader.create(Library.class).load("libc.so.6");

    /// As the man pages declare them. Public, as jnr-ffi wants it.
    public interface Library {
        int mount(String source, String target, String type, long flags, String data);

        int umount2(String target, int flags);
    }

    private MountCalls() {}

    static void mount(String source, Path target, String type, long flags, String data) throws ErrnoException {
        checked("mount " + target, LIBRARY.mount(source, target.toString(), type, flags, data));
    }

    static void unmount(Path target, int flags) throws ErrnoException {
        checked("umount " + target, LIBRARY.umount2(target.toString(), flags));
    }

    private static void checked(String call, int result) throws ErrnoException {
        if (result == -1) {
            throw new ErrnoException(call, Runtime.getRuntime(LIBRARY).getLastError());
        }
    }
}
