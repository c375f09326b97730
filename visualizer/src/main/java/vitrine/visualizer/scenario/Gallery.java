package vitrine.visualizer.scenario;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;
import vitrine.visualizer.scenario.Scenario.Preparation;
import vitrine.visualizer.scenario.Scenario.Program;
import vitrine.visualizer.scenario.Scenario.Setup;

/// The scenarios that come with the window.
public final class Gallery {

    private static final int USER = 1000;
    private static final byte[] BLOCK = new byte[4096];

    private static final MachineOptions SMALL =
            MachineOptions.DEFAULT.withQueueSize(16).withIndirect(false);
    private static final PassthroughOptions XATTR = PassthroughOptions.DEFAULT.with(Feature.XATTR);

    private static final Preparation A_LETTER =
            folder -> Files.writeString(folder.resolve("letter"), "Dear reader,\n", StandardCharsets.US_ASCII);

    private static final Preparation ROOTS_PROGRAM = folder -> {
        Path tool = folder.resolve("tool");
        Files.write(tool, new byte[8 * 4096]);
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxrwxrwx"));
    };

    private static final Program EIGHT_WRITES = machine -> {
        GuestProcess program = machine.userProgram(USER, USER);
        int fd = program.open("/tool", Fcntl.O_WRONLY);
        for (int i = 0; i < 8; i++) {
            program.write(fd, BLOCK);
        }
        program.close(fd);
    };

    /// All of them; pairs that belong together stand together, before and after.
    public static final List<Scenario> ALL = List.of(
            new Scenario(
                    "first-byte",
                    "Five crossings for one byte",
                    "What happens between read(fd, buf, 1) and the byte?",
                    new Setup(SMALL, PassthroughOptions.DEFAULT),
                    A_LETTER,
                    machine -> {
                        GuestProcess program = machine.rootProgram();
                        int fd = program.open("/letter", Fcntl.O_RDONLY);
                        program.read(fd, 1);
                        program.close(fd);
                    }),
            new Scenario(
                    "killpriv-off",
                    "Who clears the set-ID bits? Asked each time",
                    "Why does a small write ask for an extended attribute?",
                    new Setup(
                            SMALL.withKernel(KernelProfile.LINUX_6_1.without(InitFlag.HANDLE_KILLPRIV_V2)),
                            XATTR.with(Feature.KILLPRIV_V2, false)),
                    ROOTS_PROGRAM,
                    EIGHT_WRITES),
            new Scenario(
                    "killpriv-on",
                    "Who clears the set-ID bits? Left to the host",
                    "What does HANDLE_KILLPRIV_V2 spare?",
                    new Setup(SMALL, XATTR),
                    ROOTS_PROGRAM,
                    EIGHT_WRITES));

    private Gallery() {}

    /// The scenario with this name, such as `first-byte`, or with a [Variation] of it, such as
    /// `first-byte+without-event-index`; empty if there is none.
    public static Optional<Scenario> find(String name) {
        String[] parts = name.split("\\+", 2);
        Optional<Scenario> plain = ALL.stream()
                .filter(scenario -> scenario.name().equals(parts[0]))
                .findFirst();
        return parts.length == 1
                ? plain
                : plain.flatMap(scenario -> Variation.named(parts[1]).map(variation -> variation.of(scenario)));
    }

    /// The same, where there must be one.
    ///
    /// @throws IllegalArgumentException if there is none; the message lists them
    public static Scenario named(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no scenario '" + name + "'; there are "
                        + ALL.stream().map(Scenario::name).collect(Collectors.joining(", "))));
    }
}
