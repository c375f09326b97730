package vitrine.tap;

import java.util.StringJoiner;
import vitrine.posix.Fcntl;

/// Words of flags of system calls as a person would write them: `O_RDWR|O_CREAT`.
public final class FlagNames {

    private record Name(int bits, String text) {}

    /// Flags of several bits come before those that are part of them.
    private static final Name[] OPEN = {
        new Name(Fcntl.O_TMPFILE, "O_TMPFILE"),
        new Name(Fcntl.O_SYNC, "O_SYNC"),
        new Name(Fcntl.O_DSYNC, "O_DSYNC"),
        new Name(Fcntl.O_CREAT, "O_CREAT"),
        new Name(Fcntl.O_EXCL, "O_EXCL"),
        new Name(Fcntl.O_NOCTTY, "O_NOCTTY"),
        new Name(Fcntl.O_TRUNC, "O_TRUNC"),
        new Name(Fcntl.O_APPEND, "O_APPEND"),
        new Name(Fcntl.O_NONBLOCK, "O_NONBLOCK"),
        new Name(Fcntl.O_DIRECT, "O_DIRECT"),
        new Name(Fcntl.O_TMPFILE, "O_TMPFILE"), // with O_DIRECTORY in it
        new Name(Fcntl.O_DIRECTORY, "O_DIRECTORY"),
        new Name(Fcntl.O_NOFOLLOW, "O_NOFOLLOW"),
        new Name(Fcntl.O_NOATIME, "O_NOATIME"),
        new Name(Fcntl.O_CLOEXEC, "O_CLOEXEC"),
        new Name(Fcntl.O_PATH, "O_PATH")
    };

    private static final Name[] AT = {
        new Name(Fcntl.AT_SYMLINK_NOFOLLOW, "AT_SYMLINK_NOFOLLOW"),
        new Name(Fcntl.AT_REMOVEDIR, "AT_REMOVEDIR"),
        new Name(Fcntl.AT_SYMLINK_FOLLOW, "AT_SYMLINK_FOLLOW"),
        new Name(Fcntl.AT_NO_AUTOMOUNT, "AT_NO_AUTOMOUNT"),
        new Name(Fcntl.AT_EMPTY_PATH, "AT_EMPTY_PATH")
    };

    private FlagNames() {}

    /// The flags of open(2), without `O_LARGEFILE`, which every 64-bit program sets.
    public static String open(int flags) {
        StringJoiner names = new StringJoiner("|");
        if ((flags & Fcntl.O_PATH) == 0) {
            names.add(
                    switch (flags & Fcntl.O_ACCMODE) {
                        case Fcntl.O_RDONLY -> "O_RDONLY";
                        case Fcntl.O_WRONLY -> "O_WRONLY";
                        case Fcntl.O_RDWR -> "O_RDWR";
                        default -> "O_ACCMODE";
                    });
        }
        return add(names, flags & ~Fcntl.O_ACCMODE & ~Fcntl.O_LARGEFILE, OPEN);
    }

    /// The flags of the calls whose names end in `at`; empty for none.
    public static String at(int flags) {
        return add(new StringJoiner("|"), flags, AT);
    }

    private static String add(StringJoiner names, int flags, Name[] known) {
        int rest = flags;
        for (Name name : known) {
            if ((rest & name.bits()) == name.bits()) {
                names.add(name.text());
                rest &= ~name.bits();
            }
        }
        if (rest != 0) {
            names.add("0x" + Integer.toHexString(rest));
        }
        return names.toString();
    }
}
