package vitrine.conformance.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.conformance.rules.Repository;
import vitrine.guest.compare.Pump;
import vitrine.guest.compare.RepeatingGuest;
import vitrine.guest.compare.RequestKind;

/// The table of system calls in docs/costs.md is what is counted.
@Timeout(60)
class CostTableTest {

    private static final int FILES = 1000; // in the directory that is listed

    /// What the guest does for a row, and the calls that this takes.
    private static Map<String, Long> count(String row, CountedDaemon daemon) throws Exception {
        RepeatingGuest guest = daemon.guest();
        return switch (row) {
            case "nothing (ENOSYS)" -> one(RequestKind.NOTHING, daemon);
            case "statfs" -> one(RequestKind.STATFS, daemon);
            case "getattr" -> one(RequestKind.GETATTR, daemon);
            case "lookup" -> one(RequestKind.LOOKUP, daemon);
            case "read 4 KiB" -> one(RequestKind.READ_4K, daemon);
            case "write 4 KiB" -> one(RequestKind.WRITE_4K, daemon);
            case "write 1 MiB, 256 pages" -> one(RequestKind.WRITE_1M, daemon);
            case "flush" -> one(RequestKind.FLUSH, daemon);
            case "lookup and forget" -> {
                guest.lookUpAndForget("new"); // it had the number of a file that was deleted
                yield daemon.during(() -> guest.lookUpAndForget("new"));
            }
            case "open and release" -> without(Map.of("statx", 1L), daemon.during(guest::openAndRelease));
            case "create, release, unlink, forget" -> daemon.during(() -> guest.createAndRemove("another"));
            case "readdirplus, an entry, known" -> {
                guest.listAll(0);
                Map<String, Long> known = anEntry(daemon.during(() -> guest.listAll(1)));
                guest.listAll(2);
                yield known;
            }
            case "readdirplus, an entry, new" -> anEntry(daemon.during(() -> guest.listAll(1)));
            default -> throw new IllegalArgumentException("nobody counts " + row);
        };
    }

    private static Map<String, Long> one(RequestKind kind, CountedDaemon daemon) throws Exception {
        Pump.Slot slot = daemon.guest().ready(kind).getFirst();
        return daemon.during(() -> daemon.guest().pump().run(List.of(slot), 1, 1));
    }

    /// What a listing takes for each entry; without its beginning, which looks the directory up,
    /// opens and closes it, and without the reading of the host's entries.
    private static Map<String, Long> anEntry(Map<String, Long> listing) {
        Map<String, Long> entries = without(Map.of("statx", 1L, "openat", 1L, "close", 1L), listing);
        entries.remove("getdents64");
        entries.replaceAll((call, count) -> {
            assertEquals(0, count % FILES, call + " of " + FILES + " files");
            return count / FILES;
        });
        return entries;
    }

    private static Map<String, Long> without(Map<String, Long> some, Map<String, Long> all) {
        Map<String, Long> left = new TreeMap<>(all);
        some.forEach((call, count) -> left.computeIfPresent(call, (_, had) -> had.equals(count) ? null : had - count));
        return left;
    }

    /// `openat 2, close`: a count that is not said is 1.
    private static Map<String, Long> parse(String cell) {
        Map<String, Long> calls = new TreeMap<>();
        if (!cell.equals("–")) {
            for (String call : cell.split(", ")) {
                String[] words = call.split(" ");
                calls.put(words[0], words.length == 1 ? 1L : Long.parseLong(words[1]));
            }
        }
        return calls;
    }

    /// What the table says, row by row: the first column and the second.
    private static Map<String, Map<String, Long>> table() {
        Map<String, Map<String, Long>> rows = new LinkedHashMap<>();
        Repository.read("docs/costs.md")
                .lines()
                .dropWhile(line -> !line.startsWith("| what the guest asks for"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .forEach(line -> {
                    List<String> cells = Arrays.stream(line.split("\\|", -1))
                            .map(String::strip)
                            .toList();
                    rows.put(cells.get(1), parse(cells.get(2)));
                });
        return rows;
    }

    /// Caught: `findListed` that always looks first (a new entry takes `statx` twice); a number in
    /// the table that was changed.
    @Test
    void theTableIsWhatIsCounted(@TempDir Path share) throws Exception {
        Needs.root();
        Map<String, Map<String, Long>> counted = new LinkedHashMap<>();
        try (CountedDaemon daemon = new CountedDaemon(share)) {
            Files.createFile(share.resolve("new"));
            for (String row : table().keySet()) {
                counted.put(row, count(row, daemon));
            }
        }
        assertEquals(table(), counted);
    }
}
