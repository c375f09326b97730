package vitrine.visualizer.scenario;

import java.nio.charset.StandardCharsets;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.visualizer.scenario.Scenario.Program;

/// What happens in the guest of a scenario.
final class Programs {

    private static final int USER = 1000;
    private static final int PAGE = 4096;
    private static final int PAGES_OF_A_LARGE_WRITE = 64;
    private static final int PIECE = 2 << 20;
    private static final byte[] FIVE = "five\n".getBytes(StandardCharsets.US_ASCII);

    /// Mounts, and nothing else.
    static final Program NOTHING = _ -> {};

    /// Reads one byte of a file.
    static final Program FIRST_BYTE = machine -> {
        GuestProcess program = machine.rootProgram();
        int fd = program.open("/letter", Fcntl.O_RDONLY);
        program.read(fd, 1);
        program.close(fd);
    };

    /// Writes eight pages into somebody else's file.
    static final Program EIGHT_WRITES = machine -> {
        GuestProcess program = machine.userProgram(USER, USER);
        int fd = program.open("/tool", Fcntl.O_WRONLY);
        for (int i = 0; i < 8; i++) {
            program.write(fd, new byte[PAGE]);
        }
        program.close(fd);
    };

    /// Makes the file a set-user-ID program; somebody else writes to it three times.
    static final Program PATCHING = machine -> {
        machine.rootProgram().chmod("/tool", 04777);
        GuestProcess program = machine.userProgram(USER, USER);
        int fd = program.open("/tool", Fcntl.O_WRONLY);
        for (int i = 0; i < 3; i++) {
            program.write(fd, new byte[8]);
        }
        program.close(fd);
    };

    /// Writes and reads a page past all caches.
    static final Program DIRECT = machine -> {
        GuestProcess program = machine.rootProgram();
        int fd = program.open("/tool", Fcntl.O_RDWR | Fcntl.O_DIRECT);
        program.pwrite(fd, new byte[PAGE], 0);
        program.pread(fd, PAGE, 0);
        program.close(fd);
    };

    /// Appends five bytes three times.
    static final Program APPENDING = machine -> {
        GuestProcess program = machine.rootProgram();
        int fd = program.open("/letter", Fcntl.O_WRONLY | Fcntl.O_APPEND);
        for (int i = 0; i < 3; i++) {
            program.write(fd, FIVE);
        }
        program.close(fd);
    };

    /// Reads four times, from two pieces of what Linux maps at a time, and writes once.
    static final Program READING_MAPPED = machine -> {
        GuestProcess program = machine.rootProgram();
        int fd = program.open("/large", Fcntl.O_RDWR);
        program.pread(fd, PAGE, 0);
        program.pread(fd, PAGE, PAGE);
        program.pread(fd, PAGE, PIECE + PAGE);
        program.pread(fd, PAGE, 2 * PAGE);
        program.pwrite(fd, FIVE, 0);
        program.close(fd);
    };

    /// Looks at four files, twice.
    static final Program LOOKING = machine -> {
        GuestProcess program = machine.rootProgram();
        for (int i = 0; i < 2; i++) {
            program.stat("/tool");
            program.stat("/a/b/c/leaf");
        }
    };

    /// Writes 64 pages, one after the other.
    static final Program PAGES = machine -> {
        GuestProcess program = machine.rootProgram();
        int fd = program.open("/large", Fcntl.O_CREAT | Fcntl.O_WRONLY, 0644);
        for (int i = 0; i < PAGES_OF_A_LARGE_WRITE; i++) {
            program.write(fd, new byte[PAGE]);
        }
        program.close(fd);
    };

    /// Writes as much at once.
    static final Program AT_ONCE = machine -> {
        GuestProcess program = machine.rootProgram();
        int fd = program.open("/large", Fcntl.O_CREAT | Fcntl.O_WRONLY, 0644);
        program.write(fd, new byte[PAGES_OF_A_LARGE_WRITE * PAGE]);
        program.close(fd);
    };

    /// More requests than a small ring has entries.
    static final Program AROUND_THE_RING = machine -> {
        GuestProcess program = machine.rootProgram();
        int fd = program.open("/ledger", Fcntl.O_CREAT | Fcntl.O_RDWR, 0644);
        for (int i = 0; i < 12; i++) {
            program.pwrite(fd, FIVE, (long) i * FIVE.length);
        }
        program.close(fd);
    };

    /// Looks for what is not there, makes it, renames it over something, and removes it.
    static final Program NAMES = machine -> {
        GuestProcess program = machine.rootProgram();
        refused(() -> program.stat("/new"));
        program.close(program.open("/new", Fcntl.O_CREAT | Fcntl.O_WRONLY, 0600));
        program.rename("/new", "/letter");
        refused(() -> program.stat("/new"));
        program.unlink("/letter");
    };

    /// Somebody without the right tries.
    static final Program FORBIDDEN = machine -> {
        machine.rootProgram().chmod("/letter", 0600);
        GuestProcess program = machine.userProgram(USER, USER);
        refused(() -> program.open("/letter", Fcntl.O_RDONLY));
    };

    private Programs() {}

    @FunctionalInterface
    private interface Attempt {
        void make() throws ErrnoException;
    }

    /// The error is what the scenario is about: it is in the trace.
    private static void refused(Attempt attempt) {
        try {
            attempt.make();
        } catch (ErrnoException _) {
            return;
        }
    }
}
