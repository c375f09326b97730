package vitrine.guest.program;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import vitrine.posix.Fcntl;

/// The words of a step: its call, and arguments that are texts, numbers, or constants joined by
/// `|`.
final class Words {

    /// `S_IFIFO`.
    static final int FIFO = 0010000;

    private static final Map<String, Integer> CONSTANTS = Map.ofEntries(
            Map.entry("O_RDONLY", Fcntl.O_RDONLY),
            Map.entry("O_WRONLY", Fcntl.O_WRONLY),
            Map.entry("O_RDWR", Fcntl.O_RDWR),
            Map.entry("O_CREAT", Fcntl.O_CREAT),
            Map.entry("O_EXCL", Fcntl.O_EXCL),
            Map.entry("O_TRUNC", Fcntl.O_TRUNC),
            Map.entry("O_APPEND", Fcntl.O_APPEND),
            Map.entry("O_SYNC", Fcntl.O_SYNC),
            Map.entry("O_DSYNC", Fcntl.O_DSYNC),
            Map.entry("O_DIRECT", Fcntl.O_DIRECT),
            Map.entry("O_DIRECTORY", Fcntl.O_DIRECTORY),
            Map.entry("O_TMPFILE", Fcntl.O_TMPFILE),
            Map.entry("SEEK_SET", Fcntl.SEEK_SET),
            Map.entry("SEEK_CUR", Fcntl.SEEK_CUR),
            Map.entry("SEEK_END", Fcntl.SEEK_END),
            Map.entry("SEEK_DATA", Fcntl.SEEK_DATA),
            Map.entry("SEEK_HOLE", Fcntl.SEEK_HOLE),
            Map.entry("RENAME_NOREPLACE", Fcntl.RENAME_NOREPLACE),
            Map.entry("RENAME_EXCHANGE", Fcntl.RENAME_EXCHANGE),
            Map.entry("FALLOC_FL_KEEP_SIZE", Fcntl.FALLOC_FL_KEEP_SIZE),
            Map.entry("FALLOC_FL_PUNCH_HOLE", Fcntl.FALLOC_FL_PUNCH_HOLE),
            Map.entry("FALLOC_FL_COLLAPSE_RANGE", Fcntl.FALLOC_FL_COLLAPSE_RANGE),
            Map.entry("LOCK_SH", Fcntl.LOCK_SH),
            Map.entry("LOCK_EX", Fcntl.LOCK_EX),
            Map.entry("LOCK_UN", Fcntl.LOCK_UN),
            Map.entry("F_RDLCK", Fcntl.F_RDLCK),
            Map.entry("F_WRLCK", Fcntl.F_WRLCK),
            Map.entry("F_UNLCK", Fcntl.F_UNLCK));

    private final String[] words;

    Words(String step) {
        words = step.strip().split("\\s+");
    }

    String call() {
        return words[0];
    }

    String text(int place) {
        if (place >= words.length) {
            throw new IllegalArgumentException(String.join(" ", words) + ": too few words");
        }
        return words[place];
    }

    String textOr(int place, String otherwise) {
        return place < words.length ? words[place] : otherwise;
    }

    /// A text as bytes, or the bytes of `0x…`.
    byte[] bytes(int place) {
        String word = text(place);
        return word.startsWith("0x")
                ? HexFormat.of().parseHex(word.substring(2))
                : word.getBytes(StandardCharsets.UTF_8);
    }

    long number(int place) {
        long bits = 0;
        for (String word : text(place).split("\\|")) {
            bits |= CONSTANTS.containsKey(word) ? CONSTANTS.get(word) : parsed(word);
        }
        return bits;
    }

    /// As [#number], but 0 where there is no such word.
    long optional(int place) {
        return place < words.length ? number(place) : 0;
    }

    private static long parsed(String word) {
        boolean octal = word.length() > 1 && word.startsWith("0") && !word.startsWith("0x");
        return octal ? Long.parseLong(word, 8) : Long.decode(word);
    }
}
