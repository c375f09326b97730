package vitrine.guest.kernel;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.kernel.KernelProfile.Habit;

/// One thing that a kernel does or leaves, by a name for people: a flag of INIT that it offers, or
/// a habit.
///
/// @param name such as `killpriv-v2`
/// @param sentence what it is, in a line
/// @param in whether a kernel does it
/// @param on the same kernel with it
/// @param off and without
public record KernelSwitch(
        String name,
        String sentence,
        Predicate<KernelProfile> in,
        UnaryOperator<KernelProfile> on,
        UnaryOperator<KernelProfile> off) {

    /// Flags that change what the model does. The window's unit is not one of them: it goes with
    /// the window.
    private static final List<InitFlag> FLAGS = List.of(
            InitFlag.ASYNC_READ,
            InitFlag.POSIX_LOCKS,
            InitFlag.ATOMIC_O_TRUNC,
            InitFlag.BIG_WRITES,
            InitFlag.FLOCK_LOCKS,
            InitFlag.AUTO_INVAL_DATA,
            InitFlag.DO_READDIRPLUS,
            InitFlag.READDIRPLUS_AUTO,
            InitFlag.ASYNC_DIO,
            InitFlag.WRITEBACK_CACHE,
            InitFlag.HANDLE_KILLPRIV,
            InitFlag.CACHE_SYMLINKS,
            InitFlag.EXPLICIT_INVAL_DATA,
            InitFlag.SUBMOUNTS,
            InitFlag.HANDLE_KILLPRIV_V2,
            InitFlag.SETXATTR_EXT,
            InitFlag.HAS_INODE_DAX,
            InitFlag.CREATE_SUPP_GROUP,
            InitFlag.DIRECT_IO_ALLOW_MMAP,
            InitFlag.ALLOW_IDMAP);

    /// All that there are: flags, then habits.
    public static final List<KernelSwitch> ALL = Stream.concat(
                    FLAGS.stream().map(KernelSwitch::of),
                    Stream.of(Habit.values()).map(KernelSwitch::of))
            .toList();

    private static KernelSwitch of(InitFlag flag) {
        return new KernelSwitch(
                words(flag.name().replaceFirst("^(HANDLE|HAS|DO)_", "")),
                flag.sentence(),
                kernel -> flag.in(kernel.offered()),
                kernel -> kernel.with(flag),
                kernel -> kernel.without(flag));
    }

    private static KernelSwitch of(Habit habit) {
        return new KernelSwitch(
                words(habit.name()),
                habit.sentence(),
                kernel -> kernel.has(habit),
                kernel -> kernel.with(habit),
                kernel -> kernel.without(habit));
    }

    private static String words(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The one of this name.
    ///
    /// @throws IllegalArgumentException if there is none; with those that there are
    public static KernelSwitch named(String name) {
        return ALL.stream()
                .filter(each -> each.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no " + name + "; there is "
                        + String.join(", ", ALL.stream().map(KernelSwitch::name).toList())));
    }
}
