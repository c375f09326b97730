package vitrine.guest.shell;

import vitrine.guest.process.GuestProcess;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// lsattr(1) and chattr(1): the flags of a file by their letters.
final class FlagLetters {

    /// The letter of each bit from 0 on (`linux/fs.h`: `FS_SECRM_FL` and so on); `.` has none.
    private static final String LETTERS = "sucSiadA..mEI.jtDTheV..C.x..NPF";

    private FlagLetters() {}

    static String lsattr(GuestProcess process, Arguments arguments) throws ErrnoException {
        int fd = process.open(arguments.at(0), Fcntl.O_RDONLY);
        try {
            return text(process.fileFlags(fd)) + " " + arguments.at(0) + "\n";
        } finally {
            process.close(fd);
        }
    }

    /// The first word is `+` or `-` and letters.
    static String chattr(GuestProcess process, Arguments arguments) throws ErrnoException {
        String change = arguments.words().get(0);
        int bits = bits(change.substring(1));
        int fd = process.open(arguments.words().get(1), Fcntl.O_RDONLY);
        try {
            int flags = process.fileFlags(fd);
            process.setFileFlags(fd, change.startsWith("+") ? flags | bits : flags & ~bits);
        } finally {
            process.close(fd);
        }
        return "";
    }

    private static String text(int flags) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < LETTERS.length(); bit++) {
            if (LETTERS.charAt(bit) != '.') {
                text.append((flags >>> bit & 1) == 0 ? '-' : LETTERS.charAt(bit));
            }
        }
        return text.toString();
    }

    private static int bits(String letters) {
        int bits = 0;
        for (char letter : letters.toCharArray()) {
            if (letter == '.' || LETTERS.indexOf(letter) < 0) {
                throw new IllegalArgumentException("no flag " + letter);
            }
            bits |= 1 << LETTERS.indexOf(letter);
        }
        return bits;
    }
}
