package vitrine.conformance.passthrough;

import vitrine.posix.Fcntl;

/// One call of a history, with its arguments; who takes it uses those that it needs.
///
/// @param place the directory of the name: the root, or what `a` or `b` in it is by now
/// @param otherPlace the same for the second name
/// @param number an offset, a size, a mode or flags
record Step(What what, String place, String name, String otherPlace, String otherName, int number) {

    /// The calls there are.
    enum What {
        CREATE,
        CREATE_EXCLUSIVELY,
        MKDIR,
        FIFO,
        DEVICE,
        SYMLINK,
        LINK,
        UNLINK,
        RMDIR,
        RENAME,
        WRITE,
        APPEND,
        READ,
        TRUNCATE,
        OPEN_TRUNCATING,
        CHMOD,
        CHOWN,
        READLINK,
        LIST,
        FALLOCATE,
        COPY,
        SET_XATTR,
        GET_XATTR,
        LIST_XATTR,
        REMOVE_XATTR
    }

    int offset() {
        return number * 1000;
    }

    String text() {
        return ("text" + number).repeat(number * 40 + 1);
    }

    int mode() {
        return new int[] {0, 0777, 04755, 02755, 02644, 06777, 01777, 0444}[number];
    }

    int renameFlags() {
        return new int[] {0, 0, 0, Fcntl.RENAME_NOREPLACE, Fcntl.RENAME_EXCHANGE, Fcntl.RENAME_WHITEOUT, 3, 16}[number];
    }

    int fallocateMode() {
        return new int[] {0, 0, 1, 2, 3, 8, 16, 64}[number];
    }

    String xattr() {
        return new String[] {"user.a", "user.b", "trusted.c", "nonsense", "user.a", "user.b", "user.", ""}[number];
    }
}
