package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.kernel.dax.ExtendingWrite;
import vitrine.posix.Fcntl;

/// Who looks at a file from the host while a guest makes it longer: is the write done or not, or
/// is there a third thing to see?
@Timeout(60)
class ExtendingWriteTest {

    private static EndlessHost host;

    @TempDir
    private Path share;

    @BeforeAll
    static void mount() {
        host = EndlessHost.needed();
    }

    @AfterAll
    static void unmount() {
        host.close();
    }

    /// A write(2), by where it begins and how long it is, to a file of three letters.
    private record Write(int offset, int length) {

        String after(String before) {
            return before.substring(0, offset) + "N".repeat(length);
        }
    }

    /// All writes that make the file longer, the smallest first: what is found is the smallest
    /// there is.
    private static List<Write> smallestFirst() {
        List<Write> all = new ArrayList<>();
        for (int length = 1; length <= 4; length++) {
            for (int offset = 3; offset >= 0; offset--) {
                if (offset + length > 3) {
                    all.add(new Write(offset, length));
                }
            }
        }
        return all;
    }

    /// docs/dax.md, "How a file grows". What is seen is old or new, but for what the table says.
    ///
    /// Seen to catch: SPLIT or FALLOCATE_FIRST that are WRITE; WRITE that is FALLOCATE_FIRST.
    @ParameterizedTest
    @CsvSource(nullValues = "nothing else", textBlock = """
            WRITE,           nothing else
            SPLIT,           2+2: ooN
            FALLOCATE_FIRST, 3+1: ooo0
            TRUNCATE_FIRST,  3+1: ooo0
            """)
    void theHostSeesTheOldFileOrTheNewOne(ExtendingWrite strategy, String smallest) throws Exception {
        String found = null;
        for (Write write : smallestFirst()) {
            String third = third(strategy, write);
            if (found == null && third != null) {
                found = "%d+%d: %s".formatted(write.offset, write.length, third);
            }
        }
        assertEquals(smallest, found);
    }

    /// What the host saw at any request that was neither; null if nothing.
    private String third(ExtendingWrite strategy, Write write) throws Exception {
        Path file = Files.writeString(share.resolve("f"), "ooo");
        List<String> seen = new ArrayList<>();
        MachineOptions options = MachineOptions.DEFAULT.withDax(DaxMode.ALWAYS).withExtendingWrite(strategy);
        DaxGuest.Boot looking = (fileSystem, with) -> Machine.stepped(
                request -> {
                    seen.add(text(file));
                    return fileSystem.answer(request);
                },
                with);
        try (DaxGuest guest = new DaxGuest(DaxGuest.Share.of(host, share, 2), options, looking)) {
            int fd = guest.program.open("/f", Fcntl.O_RDWR);
            guest.program.pwrite(fd, "N".repeat(write.length).getBytes(StandardCharsets.UTF_8), write.offset);
            guest.program.fsync(fd);
        }
        String after = write.after("ooo");
        assertEquals(after, text(file));
        return seen.stream()
                .filter(text -> !text.equals("ooo") && !text.equals(after))
                .findFirst()
                .orElse(null);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).replace('\0', '0');
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
