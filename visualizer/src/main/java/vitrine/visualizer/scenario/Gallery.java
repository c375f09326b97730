package vitrine.visualizer.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import vitrine.dax.DaxPolicy;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.MachineOptions;
import vitrine.guest.experiment.Reported;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.kernel.dax.ExtendingWrite;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.WritePath;
import vitrine.visualizer.scenario.Scenario.Setup;

/// The scenarios that come with the window. Pairs that are there to be compared stand together.
public final class Gallery {

    private static final long WINDOW = 32L << 20;

    private static final MachineOptions SMALL =
            MachineOptions.DEFAULT.withQueueSize(16).withIndirect(false);
    private static final MachineOptions WITHOUT_V2 =
            SMALL.withKernel(KernelProfile.LINUX_6_1.without(InitFlag.HANDLE_KILLPRIV_V2));
    private static final MachineOptions DAX_ALWAYS = SMALL.withDax(DaxMode.ALWAYS);
    private static final MachineOptions WITH_DAX =
            SMALL.withKernel(KernelProfile.LINUX_6_1.with(InitFlag.HAS_INODE_DAX));

    private static final MachineOptions SCATTERED = MachineOptions.DEFAULT.withScatteredPages();

    private static final PassthroughOptions PLAIN = PassthroughOptions.DEFAULT;
    private static final PassthroughOptions XATTR = PLAIN.with(Feature.XATTR);
    private static final PassthroughOptions V2_OFF = XATTR.with(Feature.KILLPRIV_V2, false);

    /// The five experiments: a question each, asked before a change and after it.
    public static final List<List<Scenario>> EXPERIMENTS = List.of(
            List.of(
                    new Scenario(
                            "killpriv-off",
                            "A small write, asked for privileges each time",
                            "Why does a small write ask for an extended attribute?",
                            new Setup(WITHOUT_V2, V2_OFF),
                            Shares.TOOL,
                            Programs.EIGHT_WRITES),
                    new Scenario(
                            "killpriv-on",
                            "A small write, asked for privileges once",
                            "What does HANDLE_KILLPRIV_V2 spare?",
                            new Setup(SMALL, XATTR),
                            Shares.TOOL,
                            Programs.EIGHT_WRITES)),
            List.of(
                    new Scenario(
                            "direct-off",
                            "O_DIRECT in the guest, and a cache on the host",
                            "Whose cache does O_DIRECT pass by?",
                            new Setup(SMALL, PLAIN),
                            Shares.TOOL,
                            Programs.DIRECT),
                    new Scenario(
                            "direct-on",
                            "O_DIRECT down to the disk",
                            "When does O_DIRECT reach the host?",
                            new Setup(SMALL, PLAIN.with(Feature.ALLOW_DIRECT_IO)),
                            Shares.TOOL,
                            Programs.DIRECT)),
            List.of(
                    new Scenario(
                            "append-room-first",
                            "Five bytes at the end of a mapped file: the room first",
                            "What does an append cost that makes room and then stores?",
                            new Setup(DAX_ALWAYS.withExtendingWrite(ExtendingWrite.FALLOCATE_FIRST), PLAIN, WINDOW),
                            Shares.LETTER,
                            Programs.APPENDING),
                    new Scenario(
                            "append-write",
                            "Five bytes at the end of a mapped file: one request",
                            "And one that just writes?",
                            new Setup(DAX_ALWAYS, PLAIN, WINDOW),
                            Shares.LETTER,
                            Programs.APPENDING)),
            List.of(
                    new Scenario(
                            "lookup-marked",
                            "A LOOKUP that asks whether the file is marked for DAX",
                            "What does a flag for each file cost?",
                            new Setup(WITH_DAX, PLAIN.withDax(new DaxPolicy.Marked(false)), WINDOW),
                            Shares.TOOL_AND_DEEP,
                            Programs.LOOKING),
                    new Scenario(
                            "lookup-plain",
                            "A LOOKUP that does not",
                            "And what is a LOOKUP without it?",
                            new Setup(WITH_DAX, PLAIN.withDax(new DaxPolicy.Always()), WINDOW),
                            Shares.TOOL_AND_DEEP,
                            Programs.LOOKING)),
            List.of(
                    new Scenario(
                            "write-piecewise",
                            "256 KiB, one request, a system call for each page",
                            "What does it cost the daemon to write in small pieces?",
                            new Setup(SCATTERED, PLAIN.withWritePath(WritePath.PIECEWISE)),
                            Shares.EMPTY,
                            Programs.AT_ONCE),
                    new Scenario(
                            "write-at-once",
                            "256 KiB, one request, one system call",
                            "And what if the pieces go together?",
                            new Setup(SCATTERED, PLAIN),
                            Shares.EMPTY,
                            Programs.AT_ONCE)));

    /// What others have reported of each of them.
    private static final List<Reported> REPORTED =
            List.of(Reported.KILLPRIV, Reported.DIRECT, Reported.APPEND, Reported.LOOKUP, Reported.GATHER);

    private static final List<Scenario> OTHERS = List.of(
            new Scenario(
                    "first-byte",
                    "Five crossings for one byte",
                    "What happens between read(fd, buf, 1) and the byte?",
                    new Setup(SMALL, PLAIN),
                    Shares.LETTER,
                    Programs.FIRST_BYTE),
            new Scenario(
                    "handshake",
                    "The handshake decides",
                    "What do guest and daemon agree on?",
                    new Setup(SMALL, XATTR),
                    Shares.EMPTY,
                    Programs.NOTHING),
            new Scenario(
                    "patch-guest-kills",
                    "Who clears the set-user-ID bit: the guest",
                    "Somebody else writes into root's program. What now?",
                    new Setup(WITHOUT_V2, V2_OFF),
                    Shares.TOOL,
                    Programs.PATCHING),
            new Scenario(
                    "patch-host-kills",
                    "Who clears the set-user-ID bit: the host",
                    "Who does it when HANDLE_KILLPRIV_V2 was agreed on?",
                    new Setup(SMALL, XATTR),
                    Shares.TOOL,
                    Programs.PATCHING),
            new Scenario(
                    "ring-wraps",
                    "A ring is two counters",
                    "What happens at the end of a ring of eight entries?",
                    new Setup(SMALL.withQueueSize(8), PLAIN),
                    Shares.EMPTY,
                    Programs.AROUND_THE_RING),
            new Scenario(
                    "ring-flags",
                    "The same ring without event index",
                    "How do both sides say what they want without VIRTIO_F_EVENT_IDX?",
                    new Setup(SMALL.withQueueSize(8).withEventIndex(false), PLAIN),
                    Shares.EMPTY,
                    Programs.AROUND_THE_RING),
            new Scenario(
                    "ring-indirect",
                    "The same ring with tables elsewhere",
                    "What does a chain take in the ring when its descriptors lie elsewhere?",
                    new Setup(SMALL.withQueueSize(8).withIndirect(true), PLAIN),
                    Shares.EMPTY,
                    Programs.AROUND_THE_RING),
            new Scenario(
                    "ring-packed",
                    "The same in a packed ring",
                    "How do both sides know whose an entry is, without an index?",
                    new Setup(SMALL.withQueueSize(8).withPacked(true), PLAIN),
                    Shares.EMPTY,
                    Programs.AROUND_THE_RING),
            new Scenario(
                    "window-read",
                    "A file in the guest's memory",
                    "How many requests do four reads take when the file is mapped?",
                    new Setup(DAX_ALWAYS, PLAIN, WINDOW),
                    Shares.LARGE,
                    Programs.READING_MAPPED),
            new Scenario(
                    "deep-path",
                    "A path is as many questions as it has names",
                    "Which requests does a stat(2) need, and which the second one?",
                    new Setup(SMALL, PLAIN),
                    Shares.TOOL_AND_DEEP,
                    Programs.LOOKING),
            new Scenario(
                    "write-pages",
                    "256 KiB, a page at a time",
                    "What does it cost the guest to write in small pieces?",
                    new Setup(MachineOptions.DEFAULT, PLAIN),
                    Shares.EMPTY,
                    Programs.PAGES),
            new Scenario(
                    "names",
                    "A name is made, moved and removed",
                    "What does a file system have to do for a name?",
                    new Setup(SMALL, PLAIN),
                    Shares.LETTER,
                    Programs.NAMES),
            new Scenario(
                    "forbidden",
                    "No",
                    "Who says no: the guest, the daemon, or the host?",
                    new Setup(SMALL, PLAIN),
                    Shares.LETTER,
                    Programs.FORBIDDEN));

    /// All of them.
    public static final List<Scenario> ALL = Stream.concat(
                    OTHERS.stream(), EXPERIMENTS.stream().flatMap(List::stream))
            .toList();

    private Gallery() {}

    /// The scenario with this name, such as `first-byte`, or with a [Variation] or an [Intrusion]
    /// of it, such as `first-byte+without-event-index` or `first-byte+read-error-from-200`; empty
    /// if there is none.
    public static Optional<Scenario> find(String name) {
        String[] parts = name.split("\\+", 2);
        Optional<Scenario> plain = ALL.stream()
                .filter(scenario -> scenario.name().equals(parts[0]))
                .findFirst();
        return parts.length == 1
                ? plain
                : plain.flatMap(scenario -> Variation.named(parts[1])
                        .map(variation -> variation.of(scenario))
                        .or(() -> Intrusion.named(parts[1]).map(intrusion -> intrusion.of(scenario))));
    }

    /// The same, where there must be one.
    ///
    /// @throws IllegalArgumentException if there is none; the message lists them
    public static Scenario named(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no scenario '" + name + "'; there are "
                        + ALL.stream().map(Scenario::name).collect(Collectors.joining(", "))));
    }

    /// For whom a scenario is: `first steps`, `going deeper`, or which half of which experiment.
    public static String level(Scenario scenario) {
        for (int i = 0; i < EXPERIMENTS.size(); i++) {
            int half = EXPERIMENTS.get(i).indexOf(scenario);
            if (half >= 0) {
                return "experiment " + (i + 1) + (half == 0 ? ", before" : ", after");
            }
        }
        boolean deep = Stream.of("ring-", "window-", "patch-")
                .anyMatch(prefix -> scenario.name().startsWith(prefix));
        return deep ? "going deeper" : "first steps";
    }

    /// The experiment that a scenario is one half of: before the change, and after it.
    public static Optional<List<Scenario>> experiment(Scenario scenario) {
        return EXPERIMENTS.stream().filter(pair -> pair.contains(scenario)).findFirst();
    }

    /// What was reported of a scenario, as a run tells it of itself: `reported`, of what work, and
    /// how many times as good it is after the change. Empty if nobody has.
    static Map<String, String> reported(Scenario scenario) {
        for (int i = 0; i < EXPERIMENTS.size(); i++) {
            int half = EXPERIMENTS.get(i).indexOf(scenario);
            if (half >= 0) {
                Reported reported = REPORTED.get(i);
                String figure = reported.text(half == 0 ? reported.before() : reported.after());
                return Map.of(
                        "reported",
                        figure,
                        "reported-of",
                        reported.work(),
                        "reported-gain",
                        "" + (half == 0 ? reported.gain() : 1 / reported.gain()));
            }
        }
        return Map.of();
    }
}
