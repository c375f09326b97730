package vitrine.daemon;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;
import vitrine.passthrough.translation.IdMap;
import vitrine.passthrough.translation.IdMap.Range;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;

/// A user namespace (user_namespaces(7)) for a daemon that is not root: in there it has all
/// capabilities, over the ids that it is given there and over what it mounts.
///
/// ```
///   java … --uid-map=…                           a JVM has many threads: unshare(2) is refused
///    └ execve ► unshare --map-users=… java …     has one
///       └ execve ► java … --uid-map=… --in-user-namespace
/// ```
///
/// That is one process all the way, with one number and the same open files. The JVM inside runs as
/// the user that it was outside: what it makes there, such as its socket, belongs to them. Only the
/// threads that serve the guest become root ([vitrine.posix.Credentials#becomeRoot]).
///
/// @param users which user inside is which on the host; none: the daemon's own, by the same number
/// @param groups the same for groups
record UserNamespace(IdMap users, IdMap groups) {

    /// The option that tells the daemon that it is inside.
    static final String INSIDE = "--in-user-namespace";

    /// What the command line says.
    ///
    /// @throws IllegalArgumentException saying what is wrong with it
    static UserNamespace of(ParseResult given) {
        return new UserNamespace(map("--uid-map", given), map("--gid-map", given));
    }

    /// `:INSIDE:HOST:COUNT:` is what the other maps call `map:INSIDE:HOST:COUNT`.
    private static IdMap map(String option, ParseResult given) {
        List<String> rules = new ArrayList<>();
        for (String range : given.matchedOptionValue(option, List.<String>of())) {
            if (!range.matches("([^\\w-])\\d+\\1\\d+\\1(?!0+\\1)\\d+\\1")) {
                throw new IllegalArgumentException(option + "=" + range
                        + ": the first id inside, the first on the host, and how many, as in :0:100000:65536:");
            }
            rules.add("map" + range.substring(0, range.length() - 1));
        }
        try {
            return IdMap.parse(rules);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + "=" + e.getMessage().substring("map".length()));
        }
    }

    /// Whether somebody asks for one.
    boolean isGiven() {
        return !(users.isSame() && groups.isSame());
    }

    /// Starts the daemon anew, inside. There is no return.
    ///
    /// @throws IOException if there cannot be such a namespace, saying what to do
    void enter(Syscalls sys) throws ErrnoException, IOException {
        long user = Integer.toUnsignedLong(sys.effectiveUser());
        long group = Integer.toUnsignedLong(sys.effectiveGroup());
        List<Range> uids = ranges("--uid-map", users, user);
        List<Range> gids = ranges("--gid-map", groups, group);
        List<String> unshare = new ArrayList<>(List.of("unshare", "--user", "--keep-caps"));
        addTo(unshare, "--map-user", uids, user);
        addTo(unshare, "--map-group", gids, group);
        tryOut(unshare, Stream.concat(uids.stream(), gids.stream()).toList());
        unshare.addAll(commandOfThisProcess());
        unshare.add(INSIDE);
        sys.execute(unshare);
    }

    /// Who serves the guest is root inside, or who they were outside. One of both has to be there.
    private static List<Range> ranges(String option, IdMap map, long own) throws IOException {
        if (map.isSame()) {
            return List.of(new Range(own, 1, own, false, false));
        }
        boolean hasRoot = map.fromGuest().stream().anyMatch(range -> range.contains(0));
        if (!hasRoot && map.fromHost().stream().noneMatch(range -> range.contains(own))) {
            throw new IOException(option + ": there has to be a root inside (0), or the daemon itself (" + own + "); "
                    + option + "=:0:" + own + ":1: makes the one the other");
        }
        return map.fromGuest();
    }

    /// The daemon's own id, alone or as root, has an option of its own: alone, nobody has to grant
    /// it; as root, there can be one range more before util-linux 2.39. (Elsewhere that option cuts
    /// off the end of a range that touches it.)
    private static void addTo(List<String> unshare, String option, List<Range> ranges, long own) {
        for (Range range : ranges) {
            boolean itself = range.count() == 1 && range.target() == own;
            unshare.add(
                    itself && (ranges.size() == 1 || range.first() == 0)
                            ? option + "=" + range.first()
                            : option + "s=" + range.target() + "," + range.first() + "," + range.count());
        }
    }

    /// Makes such a namespace for a moment, as there is nobody left to explain it when `unshare`
    /// fails in the place of the daemon.
    private void tryOut(List<String> unshare, List<Range> wanted) throws IOException {
        List<String> command = new ArrayList<>(unshare);
        command.addAll(List.of("cat", "/proc/self/uid_map", "/proc/self/gid_map"));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new IOException("a user namespace takes unshare: apt-get install util-linux (2.38 or newer)", e);
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException((isGiven() ? "--uid-map, --gid-map" : "--sandbox=namespace")
                    + ": there cannot be such a user namespace: "
                    + said.lines().findFirst().orElse("") + "; " + remedy(said));
        }
        Set<String> made =
                said.lines().map(line -> line.strip().replaceAll(" +", " ")).collect(Collectors.toSet());
        Set<String> asked = wanted.stream()
                .map(range -> range.first() + " " + range.target() + " " + range.count())
                .collect(Collectors.toSet());
        if (!made.equals(asked)) {
            throw new IOException("this unshare makes another user namespace, " + made + ": before util-linux 2.39 it"
                    + " takes one range, and the daemon itself as root");
        }
    }

    private static String remedy(String said) {
        if (said.startsWith("newuidmap: ") || said.startsWith("newgidmap: ")) {
            return "/etc/subuid and /etc/subgid say which ids a user has (as 1000:100000:65536), see subuid(5)";
        }
        if (said.contains("newuidmap") || said.contains("newgidmap")) {
            return "apt-get install uidmap";
        }
        return "it takes util-linux 2.38 and a host where not only root may make one (sysctl"
                + " user.max_user_namespaces, kernel.unprivileged_userns_clone,"
                + " kernel.apparmor_restrict_unprivileged_userns)";
    }

    private static List<String> commandOfThisProcess() throws IOException {
        byte[] line = Files.readAllBytes(Path.of("/proc/self/cmdline"));
        List<String> words = new ArrayList<>(Arrays.asList(new String(line, StandardCharsets.UTF_8).split("\0", -1)));
        words.removeLast(); // behind the last NUL
        words.set(0, Path.of("/proc/self/exe").toRealPath().toString());
        return words;
    }
}
