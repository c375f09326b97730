package vitrine.conformance.passthrough;

import static vitrine.conformance.posix.HostKernel.SYS;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import vitrine.conformance.rules.Needs;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;

/// The mark of a file for DAX, as the host's administrator sees and sets it (chattr(1): `x`).
public final class DaxMark {

    private static final int FS_IOC_FSGETXATTR = 0x801c581f;
    private static final int FS_IOC_FSSETXATTR = 0x401c5820;
    private static final int FS_XFLAG_DAX = 0x8000;

    private DaxMark() {}

    /// Skips the test where files cannot be marked.
    public static void needed(Path file) {
        try {
            set(file, true);
            set(file, false);
        } catch (ErrnoException e) {
            Needs.that(false, "needs a file system with FS_XFLAG_DAX, ext4 or XFS: " + file + ": " + e.getMessage());
        }
    }

    /// Whether it is there.
    public static boolean isSet(Path file) throws ErrnoException {
        try (Fd fd = SYS.openPath(file.toString(), Fcntl.O_RDONLY)) {
            return (flags(SYS.ioctl(fd, FS_IOC_FSGETXATTR, new byte[28])).getInt(0) & FS_XFLAG_DAX) != 0;
        }
    }

    /// Sets it, or takes it away.
    public static void set(Path file, boolean on) throws ErrnoException {
        try (Fd fd = SYS.openPath(file.toString(), Fcntl.O_RDONLY)) {
            byte[] fsxattr = SYS.ioctl(fd, FS_IOC_FSGETXATTR, new byte[28]);
            int before = flags(fsxattr).getInt(0);
            flags(fsxattr).putInt(0, on ? before | FS_XFLAG_DAX : before & ~FS_XFLAG_DAX);
            SYS.ioctl(fd, FS_IOC_FSSETXATTR, fsxattr);
        }
    }

    private static ByteBuffer flags(byte[] fsxattr) {
        return ByteBuffer.wrap(fsxattr).order(ByteOrder.nativeOrder());
    }
}
