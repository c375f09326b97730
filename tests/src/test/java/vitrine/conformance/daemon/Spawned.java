package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.annotations.Out;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;

/// A process that inherits an open descriptor, which Java's own processes never do.
final class Spawned implements AutoCloseable {

    private static final Libc LIBC = LibraryLoader.create(Libc.class).load("c");
    private static final int F_DUPFD = 0; // the copy is inherited: it lacks FD_CLOEXEC
    private static final int LOWEST = 3;
    private static final int SIGKILL = 9;

    private final int pid;
    private Integer exitCode;

    /// What of the C library is needed for it; posix_spawn(3).
    public interface Libc {
        int posix_spawn(@Out int[] pid, String path, Pointer actions, Pointer attributes, String[] argv, String[] envp);

        int waitpid(int pid, @Out int[] status, int options);

        int kill(int pid, int signal);
    }

    private Spawned(int pid) {
        this.pid = pid;
    }

    /// Starts a program that has a copy of `fd`; what it prints goes to a file.
    ///
    /// @param command from the number of the copy to the command line
    static Spawned withDescriptor(Fd fd, Path directory, IntFunction<List<String>> command)
            throws ErrnoException, IOException {
        int copy = DaemonProcess.SYS.fcntl(fd, F_DUPFD, LOWEST);
        try (Fd _ = new Fd(copy, DaemonProcess.SYS.libc())) {
            List<String> argv =
                    new ArrayList<>(List.of("/bin/sh", "-c", "out=$1; shift; exec \"$@\" >\"$out\" 2>&1", "sh"));
            argv.add(directory.resolve("spawned.log").toString());
            argv.addAll(command.apply(copy));
            String[] environment =
                    System.getenv().entrySet().stream().map(Map.Entry::toString).toArray(String[]::new);
            int[] pid = new int[1];
            assertEquals(0, LIBC.posix_spawn(pid, "/bin/sh", null, null, argv.toArray(String[]::new), environment));
            return new Spawned(pid[0]);
        }
    }

    /// Waits for its end.
    int exitCode() {
        if (exitCode == null) {
            int[] status = new int[1];
            assertEquals(pid, LIBC.waitpid(pid, status, 0));
            exitCode = (status[0] & 0x7f) == 0 ? status[0] >> 8 & 0xff : 128 + (status[0] & 0x7f);
        }
        return exitCode;
    }

    @Override
    public void close() {
        if (exitCode == null) {
            LIBC.kill(pid, SIGKILL);
            exitCode();
        }
    }
}
