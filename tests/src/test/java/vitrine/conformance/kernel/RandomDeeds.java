package vitrine.conformance.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import vitrine.guest.kernel.DirectoryEntry;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// What programs may do to a few names, one thing after the other.
public final class RandomDeeds {

    /// The names.
    public static final List<String> NAMES = List.of("a", "b", "d", "d/a", "d/b", "d/e", "d/e/a");

    private RandomDeeds() {}

    /// Something that changes names, or looks at them.
    public static void act(GuestProcess program, Random random) {
        String path = "/" + NAMES.get(random.nextInt(NAMES.size()));
        String other = "/" + NAMES.get(random.nextInt(NAMES.size()));
        try {
            switch (random.nextInt(12)) {
                case 0, 1 -> program.open(path, Fcntl.O_CREAT | Fcntl.O_RDWR, 0644);
                case 2, 3 -> program.mkdir(path, 0755);
                case 4 -> program.unlink(path);
                case 5 -> program.rmdir(path);
                case 6 -> program.rename(path, other, random.nextInt(3));
                case 7 -> program.link(path, other);
                case 8 -> program.readdir(path);
                case 9 -> program.symlink("d/a", path);
                case 10 -> program.close(3 + random.nextInt(4));
                default -> program.stat(path);
            }
        } catch (ErrnoException _) {
            // not every call is possible
        }
    }

    /// Some bytes, and perhaps another size.
    public static void write(GuestProcess program, Random random) {
        try {
            int fd = program.open("/" + NAMES.get(random.nextInt(NAMES.size())), Fcntl.O_RDWR);
            byte[] bytes = new byte[1 + random.nextInt(6000)];
            random.nextBytes(bytes);
            program.pwrite(fd, bytes, random.nextInt(9000));
            if (random.nextInt(4) == 0) {
                program.ftruncate(fd, random.nextInt(9000));
            }
            program.close(fd);
        } catch (ErrnoException _) {
            // it is not there, or a directory
        }
    }

    /// What a program sees of a name: attributes, and data or entries.
    public static String seen(GuestProcess program, String name) {
        try {
            var attr = program.stat("/" + name);
            String what = "%o %d %d".formatted(attr.mode(), attr.nlink(), attr.size());
            if ((attr.mode() & 0170000) == 0040000) {
                return what
                        + program.readdir("/" + name).stream()
                                .map(DirectoryEntry::name)
                                .sorted()
                                .collect(Collectors.joining(" "));
            }
            int fd = program.open("/" + name, Fcntl.O_RDONLY);
            byte[] bytes = program.pread(fd, 20_000, 0);
            program.close(fd);
            return what + " " + bytes.length + " " + Arrays.hashCode(bytes);
        } catch (ErrnoException e) {
            return "errno " + e.errno();
        }
    }
}
