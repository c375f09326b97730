package vitrine.guest.shell;

import vitrine.posix.Stat;

/// A mode as `ls -l` writes it.
final class Modes {

    private Modes() {}

    static String text(int mode) {
        char[] text = {type(mode), 'r', 'w', 'x', 'r', 'w', 'x', 'r', 'w', 'x'};
        for (int bit = 0; bit < 9; bit++) {
            if ((mode & 0400 >> bit) == 0) {
                text[bit + 1] = '-';
            }
        }
        mark(text, 3, mode, Stat.S_ISUID, 's');
        mark(text, 6, mode, Stat.S_ISGID, 's');
        mark(text, 9, mode, Stat.S_ISVTX, 't');
        return new String(text);
    }

    private static char type(int mode) {
        return switch (mode & Stat.S_IFMT) {
            case Stat.S_IFDIR -> 'd';
            case Stat.S_IFLNK -> 'l';
            case Stat.S_IFIFO -> 'p';
            case Stat.S_IFSOCK -> 's';
            case Stat.S_IFCHR -> 'c';
            case Stat.S_IFBLK -> 'b';
            default -> '-';
        };
    }

    private static void mark(char[] text, int at, int mode, int bit, char mark) {
        if ((mode & bit) != 0) {
            text[at] = text[at] == 'x' ? mark : Character.toUpperCase(mark);
        }
    }
}
