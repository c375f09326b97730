package vitrine.visualizer.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import vitrine.posix.Errno;

/// Something that goes another way than it did, from a step on: what came before is the same.
///
/// @param from how many events have happened before
public record Intrusion(What what, int from) {

    private static final Pattern NAME = Pattern.compile("([a-z-]+)-from-([0-9]{1,9})");

    /// What can go wrong, or be done behind the guest's back.
    public enum What {
        /// Nothing more can be written.
        DISK_FULL("the host's disk is full", Set.of("pwritev2", "fallocate"), Errno.ENOSPC),
        /// Nothing can be read.
        READ_ERROR("the host's disk cannot be read", Set.of("preadv2"), Errno.EIO),
        /// No file can be opened.
        NO_DESCRIPTORS("the daemon has no descriptor left", Set.of("openat", "open_by_handle_at"), Errno.EMFILE),
        /// The files are made empty once.
        FILES_EMPTIED("somebody on the host empties the files", Set.of(), 0);

        private final String title;
        private final Set<String> calls;
        private final int errno;

        What(String title, Set<String> calls, int errno) {
            this.title = title;
            this.calls = calls;
            this.errno = errno;
        }

        /// For people.
        public String title() {
            return title;
        }

        /// The system calls of the host that fail.
        Set<String> calls() {
            return calls;
        }

        /// With what they fail.
        int errno() {
            return errno;
        }

        private String lowerName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// All that can be done from a step on.
    public static List<Intrusion> from(int step) {
        return Arrays.stream(What.values())
                .map(what -> new Intrusion(what, step))
                .toList();
    }

    /// For people.
    public String title() {
        return "from step " + from + " on, " + what.title();
    }

    /// What sort of thing it is: a `fault`, or a change to a `file`.
    public String kind() {
        return what == What.FILES_EMPTIED ? "file" : "fault";
    }

    /// A scenario in which it happens; its name is `SCENARIO+WHAT-from-STEP`.
    public Scenario of(Scenario scenario) {
        Scenario.Setup setup = scenario.setup();
        return new Scenario(
                scenario.name() + "+" + what.lowerName() + "-from-" + from,
                scenario.title() + ", but " + title(),
                scenario.question(),
                new Scenario.Setup(setup.machine(), setup.fileSystem(), setup.window(), Optional.of(this)),
                scenario.share(),
                scenario.program());
    }

    /// The one of this name, as it stands behind a `+`.
    static Optional<Intrusion> named(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches()
                ? from(Integer.parseInt(matcher.group(2))).stream()
                        .filter(each -> each.what.lowerName().equals(matcher.group(1)))
                        .findFirst()
                : Optional.empty();
    }

    /// Does what is done once.
    void act(Path share) {
        if (what != What.FILES_EMPTIED) {
            return;
        }
        try (Stream<Path> files = Files.walk(share)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.write(file, new byte[0]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
