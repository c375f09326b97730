package vitrine.conformance.posix;

import static vitrine.conformance.posix.HostKernel.SYS;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// A directory in which everybody may make files, and what `/proc` says of the thread that does.
class FilesOfManyOwners {

    static final int[] NONE = {};
    static final int SETGROUPS = System.getProperty("os.arch").equals("aarch64") ? 159 : 116;
    static final int SETRESUID = System.getProperty("os.arch").equals("aarch64") ? 147 : 117;

    @TempDir
    Path temp;

    Fd dir;

    @BeforeEach
    void open() throws Exception {
        Needs.root();
        dir = HostKernel.directory(temp);
        SYS.chmod(dir, 0777);
    }

    @AfterEach
    void close() {
        if (dir != null) {
            dir.close();
        }
    }

    Fd create(String name, int mode) throws Exception {
        Fd file = SYS.openat(dir, Name.of(name), Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_RDWR, mode);
        if (mode != 0) {
            file.close();
        }
        return file;
    }

    FileStatus status(String name) throws Exception {
        return SYS.statxAt(dir, Name.of(name), Stat.STATX_BASIC_STATS);
    }

    static void write(Fd file) throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            SYS.pwritev2(file, Buffers.of(arena.allocate(10)), 0, 0);
        }
    }

    static String capabilities() throws Exception {
        return ofThread("CapEff:");
    }

    static String groups() throws Exception {
        return ofThread("Groups:");
    }

    static String ofThread(String what) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/task/" + SYS.gettid() + "/status"));
        return lines.stream().filter(line -> line.startsWith(what)).findFirst().orElseThrow();
    }
}
