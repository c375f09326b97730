package vitrine.conformance.guest;

import java.nio.file.Files;
import java.nio.file.Path;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// A program of 1000:2000 in a directory of the host, with set-ID bits and perhaps capabilities.
///
/// @param capabilities whether it has file capabilities, too
record PrivilegedFile(int mode, boolean capabilities) {

    static final int OWNER = 1000;
    static final int GROUP = 2000;

    private static final Name CAPABILITY = Name.of("security.capability");
    private static final byte[] NET_RAW = {0, 0, 0, 2, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    private static final Syscalls SYS = Twins.SYS;

    /// Makes it anew, and something to copy from.
    void make(Path directory) throws Exception {
        Path file = directory.resolve("file");
        Files.deleteIfExists(file);
        Files.write(file, new byte[8192]);
        Files.write(directory.resolve("other"), new byte[4096]);
        try (Fd fd = SYS.openPath(file.toString(), Fcntl.O_PATH)) {
            SYS.chown(fd, OWNER, GROUP);
            SYS.chmod(fd, mode);
            if (capabilities) {
                SYS.setxattr(fd, CAPABILITY, Buffers.ofBytes(NET_RAW), 0);
            }
        }
    }

    /// What a deed has answered, and what it has left.
    static String after(String deed, Program program, int gid, Path directory) throws Exception {
        String answer = "done";
        try {
            Deed.named(deed).by(program, gid);
        } catch (ErrnoException e) {
            answer = Errno.name(e.errno());
        }
        return answer + " " + left(directory);
    }

    /// The mode, and whether there are capabilities.
    static String left(Path directory) throws Exception {
        Path file = directory.resolve("file");
        int mode = (Integer) Files.getAttribute(file, "unix:mode") & 07777;
        try (Fd fd = SYS.openPath(file.toString(), Fcntl.O_PATH)) {
            SYS.getxattr(fd, CAPABILITY, Buffers.EMPTY);
            return Integer.toOctalString(mode) + " capabilities";
        } catch (ErrnoException e) {
            return Integer.toOctalString(mode);
        }
    }
}
