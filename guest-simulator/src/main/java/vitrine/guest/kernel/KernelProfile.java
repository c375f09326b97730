package vitrine.guest.kernel;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import vitrine.fuse.flag.InitFlag;

/// Which Linux the guest runs: what its FUSE client offers in INIT, and what it does in another way
/// than those before and after it.
///
/// A version is data. Each flag and each habit can also be had, or be left out, alone: `without
/// HANDLE_KILLPRIV_V2` is a kernel that never was, and good to compare with.
///
/// @param name what people call it
/// @param minor the minor protocol version
/// @param maxReadahead bytes that it would like to read ahead
/// @param offered the features, `flags` and `flags2` as one word
/// @param habits what it does otherwise than other versions
public record KernelProfile(String name, int minor, int maxReadahead, long offered, Set<Habit> habits) {

    private static final int READ_AHEAD = 131_072;

    /// What one version of the kernel does and another does not.
    public enum Habit {
        SYNCFS("SYNCFS for sync(2) (since 5.14)"),
        TMPFILE("TMPFILE for O_TMPFILE (since 6.1)"),
        STRANGERS_TAKE_SGID("a set-group-ID bit without group execution is taken by a write of who is not in the group"
                + " (since 6.2, and in 6.1 by now)"),
        STATX("STATX for who wants to know the time of birth (since 6.6)"),
        QUEUE_OF_CPU("the request queue of the processor, not always the first (since 6.10)"),
        RELEASE_IN_BACKGROUND("RELEASE is sent in the background: close(2) does not wait for it (6.1 by now)"),
        COPY_64("COPY_FILE_RANGE_64 before COPY_FILE_RANGE (since 6.18)"),
        READDIR_OF_BUFFER("a READDIR has the size of the program's buffer, not of a page (since 6.18)"),
        SERVER_DIRECT_BEFORE_DAX("FOPEN_DIRECT_IO is looked at before DAX (no version of Linux does)"),
        /// What a server gets that allows no timeout.
        NO_MEMORY("nothing that the server says is believed for longer than the call it was asked for (no version of"
                + " Linux does)");

        private final String sentence;

        Habit(String sentence) {
            this.sentence = sentence;
        }

        /// What it is, in a line.
        public String sentence() {
            return sentence;
        }
    }

    /// Copies the habits.
    public KernelProfile {
        habits = Set.copyOf(habits);
    }

    /// The first Linux with virtiofs. Its INIT, and that of all versions not said to be seen, is
    /// put together from the protocol's history.
    public static final KernelProfile LINUX_5_4 =
            new KernelProfile("Linux 5.4", 31, READ_AHEAD, 0x03ff_fffbL, Set.of());

    /// With DAX and submounts.
    public static final KernelProfile LINUX_5_10 =
            new KernelProfile("Linux 5.10", 32, READ_AHEAD, 0x0bff_fffbL, Set.of());

    /// With HANDLE_KILLPRIV_V2.
    public static final KernelProfile LINUX_5_11 =
            new KernelProfile("Linux 5.11", 33, READ_AHEAD, 0x1bff_fffbL, Set.of());

    /// With DAX file by file.
    public static final KernelProfile LINUX_5_17 =
            new KernelProfile("Linux 5.17", 36, READ_AHEAD, 0x3_7bff_fffbL, Set.of(Habit.SYNCFS));

    /// As Linux 6.1 is on a virtio-fs without a DAX window; seen in its INIT.
    public static final KernelProfile LINUX_6_1 = new KernelProfile(
            "Linux 6.1",
            38,
            READ_AHEAD,
            0xb_7bff_fffbL,
            Set.of(Habit.SYNCFS, Habit.TMPFILE, Habit.STRANGERS_TAKE_SGID, Habit.RELEASE_IN_BACKGROUND));

    /// As Linux 6.12 is, likewise: it also asks for times of birth, and may map identities.
    public static final KernelProfile LINUX_6_12 = new KernelProfile(
            "Linux 6.12",
            41,
            READ_AHEAD,
            0x1ff_7bff_fffbL,
            Set.of(Habit.SYNCFS, Habit.TMPFILE, Habit.STRANGERS_TAKE_SGID, Habit.STATX, Habit.QUEUE_OF_CPU));

    /// As Linux 6.18 is, with larger copies and listings; its INIT was seen on /dev/fuse.
    public static final KernelProfile LINUX_6_18 = new KernelProfile(
                    "Linux 6.18", 45, READ_AHEAD, 0x5ff_7bff_fffbL, LINUX_6_12.habits())
            .with(Habit.COPY_64)
            .with(Habit.READDIR_OF_BUFFER);

    /// All that are known, the oldest first.
    public static final List<KernelProfile> ALL =
            List.of(LINUX_5_4, LINUX_5_10, LINUX_5_11, LINUX_5_17, LINUX_6_1, LINUX_6_12, LINUX_6_18);

    /// As this version of Linux does it.
    ///
    /// @throws IllegalArgumentException if it is none that was looked at
    public static KernelProfile ofLinux(String version) {
        return ALL.stream()
                .filter(profile -> profile.name.equals("Linux " + version))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Linux " + version + " is not known; choose one of "
                        + String.join(
                                ", ",
                                ALL.stream()
                                        .map(profile -> profile.name.substring("Linux ".length()))
                                        .toList())));
    }

    /// The same by another name.
    public KernelProfile named(String other) {
        return new KernelProfile(other, minor, maxReadahead, offered, habits);
    }

    /// Whether it does so.
    public boolean has(Habit habit) {
        return habits.contains(habit);
    }

    /// The same without a feature.
    public KernelProfile without(InitFlag flag) {
        return new KernelProfile(name, minor, maxReadahead, offered & ~flag.bit(), habits);
    }

    /// The same with a feature.
    public KernelProfile with(InitFlag flag) {
        return new KernelProfile(name, minor, maxReadahead, offered | flag.bit(), habits);
    }

    /// The same with a habit.
    public KernelProfile with(Habit habit) {
        Set<Habit> more = EnumSet.of(habit);
        more.addAll(habits);
        return new KernelProfile(name, minor, maxReadahead, offered, more);
    }

    /// The same without a habit.
    public KernelProfile without(Habit habit) {
        Set<Habit> fewer = EnumSet.noneOf(Habit.class);
        fewer.addAll(habits);
        fewer.remove(habit);
        return new KernelProfile(name, minor, maxReadahead, offered, fewer);
    }
}
