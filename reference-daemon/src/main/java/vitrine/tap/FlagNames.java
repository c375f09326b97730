package vitrine.tap;

import java.util.StringJoiner;
import vitrine.posix.Fcntl;

/// Words of flags of system calls as a person would write them: `O_RDWR|O_CREAT`.
public final class FlagNames {

    private record Name(int bits, String text) {}

    /// Flags of several bits come before those that are part of them.
    private static final Name[] OPEN = {
        new Name(Fcntl.O_TMPFILE, "O_TMPFILE"), // with O_DIRECTORY in it
        new Name(Fcntl.O_SYNC, "O_SYNC"),
        new Name(Fcntl.O_DSYNC, "O_DSYNC"),
        new Name(Fcntl.O_CREAT, "O_CREAT"),
        new Name(Fcntl.O_EXCL, "O_EXCL"),
        new Name(Fcntl.O_NOCTTY, "O_NOCTTY"),
        new Name(Fcntl.O_TRUNC, "O_TRUNC"),
        new Name(Fcntl.O_APPEND, "O_APPEND"),
        new Name(Fcntl.O_NONBLOCK, "O_NONBLOCK"),
        new Name(Fcntl.O_DIRECT, "O_DIRECT"),
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

    private static final Name[] ALLOCATION = {
        new Name(Fcntl.FALLOC_FL_KEEP_SIZE, "FALLOC_FL_KEEP_SIZE"),
        new Name(Fcntl.FALLOC_FL_PUNCH_HOLE, "FALLOC_FL_PUNCH_HOLE"),
        new Name(Fcntl.FALLOC_FL_COLLAPSE_RANGE, "FALLOC_FL_COLLAPSE_RANGE"),
        new Name(Fcntl.FALLOC_FL_ZERO_RANGE, "FALLOC_FL_ZERO_RANGE"),
        new Name(Fcntl.FALLOC_FL_INSERT_RANGE, "FALLOC_FL_INSERT_RANGE"),
        new Name(Fcntl.FALLOC_FL_UNSHARE_RANGE, "FALLOC_FL_UNSHARE_RANGE")
    };

    private static final Name[] RENAMING = {
        new Name(Fcntl.RENAME_NOREPLACE, "RENAME_NOREPLACE"),
        new Name(Fcntl.RENAME_EXCHANGE, "RENAME_EXCHANGE"),
        new Name(Fcntl.RENAME_WHITEOUT, "RENAME_WHITEOUT")
    };

    private static final Name[] LOCKING = {
        new Name(Fcntl.LOCK_SH, "LOCK_SH"),
        new Name(Fcntl.LOCK_EX, "LOCK_EX"),
        new Name(Fcntl.LOCK_UN, "LOCK_UN"),
        new Name(Fcntl.LOCK_NB, "LOCK_NB")
    };

    private static final Name[] COMMANDS = {
        new Name(Fcntl.F_GETFD, "F_GETFD"),
        new Name(Fcntl.F_SETFD, "F_SETFD"),
        new Name(Fcntl.F_GETFL, "F_GETFL"),
        new Name(Fcntl.F_SETFL, "F_SETFL"),
        new Name(Fcntl.F_OFD_GETLK, "F_OFD_GETLK"),
        new Name(Fcntl.F_OFD_SETLK, "F_OFD_SETLK"),
        new Name(Fcntl.F_OFD_SETLKW, "F_OFD_SETLKW"),
        new Name(Fcntl.F_DUPFD_CLOEXEC, "F_DUPFD_CLOEXEC")
    };

    private static final Name[] WHENCE = {
        new Name(Fcntl.SEEK_SET, "SEEK_SET"),
        new Name(Fcntl.SEEK_CUR, "SEEK_CUR"),
        new Name(Fcntl.SEEK_END, "SEEK_END"),
        new Name(Fcntl.SEEK_DATA, "SEEK_DATA"),
        new Name(Fcntl.SEEK_HOLE, "SEEK_HOLE")
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

    /// The flags of fallocate(2); empty for none.
    public static String allocation(int flags) {
        return add(new StringJoiner("|"), flags, ALLOCATION);
    }

    /// The flags of renameat2(2); empty for none.
    public static String renaming(int flags) {
        return add(new StringJoiner("|"), flags, RENAMING);
    }

    /// What flock(2) is to do.
    public static String locking(int operation) {
        return add(new StringJoiner("|"), operation, LOCKING);
    }

    /// What fcntl(2) is to do; a number if it is none of ours.
    public static String command(int command) {
        return one(command, COMMANDS);
    }

    /// From where lseek(2) counts; a number if from nowhere.
    public static String whence(int whence) {
        return one(whence, WHENCE);
    }

    private static String one(int value, Name[] known) {
        for (Name name : known) {
            if (name.bits() == value) {
                return name.text();
            }
        }
        return String.valueOf(value);
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
