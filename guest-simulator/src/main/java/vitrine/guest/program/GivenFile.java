package vitrine.guest.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.HostTool;

/// A file that a program finds: `f 8192 0644 1000:2000`; a directory, `d/ 0755`; or one on which
/// another file system is mounted, `d/ mounted`.
///
/// @param path below the share's root; a directory ends with `/`, and `/` is the root itself
/// @param size in bytes, of a file
/// @param mounted whether it is the root of a file system of its own
record GivenFile(String path, int size, int mode, int uid, int gid, boolean mounted) {

    private static final String MOUNTED = " mounted";

    /// Reads the words behind `given`.
    static GivenFile of(String text) {
        boolean mounted = text.endsWith(MOUNTED);
        String[] words = text.replace(MOUNTED, "").split("\\s+");
        boolean directory = words[0].endsWith("/");
        int next = directory ? 1 : 2;
        int size = directory ? 0 : Integer.parseInt(words[1]);
        int mode = words.length > next ? Integer.parseInt(words[next], 8) : directory ? 0755 : 0644;
        String[] owner = words.length > next + 1 ? words[next + 1].split(":") : new String[] {"0", "0"};
        return new GivenFile(words[0], size, mode, Integer.parseInt(owner[0]), Integer.parseInt(owner[1]), mounted);
    }

    /// What there is, for people.
    String description() {
        String what =
                path.equals("/") ? "the root" : "`" + path + "`" + (path.endsWith("/") ? "" : " of " + size + " bytes");
        String usual = path.endsWith("/") ? "0755" : "0644";
        String octal = "0" + Integer.toOctalString(mode);
        return what
                + (octal.equals(usual) ? "" : ", mode " + octal)
                + (uid + gid == 0 ? "" : ", of " + uid + ":" + gid)
                + (mounted ? ", a mount" : "");
    }

    /// Unmounts it again. Somebody may still have a file of it open.
    void remove(Path share) throws IOException {
        if (mounted) {
            run("umount", "-l", share.resolve(path).toString());
        }
    }

    private static void run(String program, String... arguments) throws IOException {
        try {
            HostTool.find(program, "mount").run(Path.of("/"), arguments);
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Makes it in a folder of the host; takes root.
    void make(Path share) throws IOException {
        Path file = path.equals("/") ? share : share.resolve(path);
        if (path.endsWith("/")) {
            Files.createDirectories(file);
            if (mounted) {
                run("mount", "-t", "tmpfs", "vitrine", file.toString());
            }
        } else {
            byte[] bytes = new byte[size];
            Arrays.fill(bytes, (byte) 'x');
            Files.write(file, bytes);
        }
        Files.setAttribute(file, "unix:uid", uid);
        Files.setAttribute(file, "unix:gid", gid);
        Files.setAttribute(file, "unix:mode", mode);
    }
}
