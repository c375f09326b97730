package vitrine.conformance.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.flag.WriteFlag;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.wire.Buffers;

/// Appending with write-back agreed, by this host's kernel: past its cache, and out of it.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class AppendBridgeTest extends MountedFolder {

    private static final int PAGE = 4096;
    private static final int APPEND = Fcntl.O_WRONLY | Fcntl.O_APPEND;

    private Path file;
    private Path onMount;
    private final List<String> writes = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void mount() throws Exception {
        file = Files.createFile(share.resolve("f"));
        onMount = mountPoint.resolve("f");
        mount(PassthroughOptions.DEFAULT.with(Feature.WRITEBACK, Feature.ALLOW_DIRECT_IO), this::note, 1);
    }

    private void note(FuseRequest request) {
        if (request instanceof FileRequest.Write write) {
            boolean append = (write.in().flags() & Fcntl.O_APPEND) != 0;
            boolean page = write.in().has(WriteFlag.CACHE);
            writes.add((append ? "append " : "")
                    + (page ? "page " : "")
                    + write.in().offset() / PAGE);
        }
    }

    private static void write(Fd to, char letter) throws Exception {
        MemorySegment page = Arena.ofAuto().allocate(PAGE, PAGE).fill((byte) letter);
        assertEquals(PAGE, SYS.pwritev2(to, Buffers.of(page), 0, 0)); // the offset counts for nothing
    }

    /// The first letter of each page.
    private static String letters(Path file) throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        StringBuilder letters = new StringBuilder();
        for (int at = 0; at < bytes.length; at += PAGE) {
            letters.append((char) bytes[at]);
        }
        return letters.toString();
    }

    /// O_DIRECT and O_APPEND: behind what is still in the cache.
    ///
    /// Seen to catch: O_DIRECT writes appended on the host, where a page was then written over
    /// them.
    @Test
    void pastTheCacheItGoesBehindIt() throws Exception {
        try (Fd cached = SYS.openPath(onMount.toString(), APPEND);
                Fd direct = SYS.openPath(onMount.toString(), APPEND | Fcntl.O_DIRECT)) {
            write(cached, 'a');
            write(direct, 'b');
            write(cached, 'c');
            write(direct, 'd');
        }

        assertEquals("abcd", letters(file));
        assertEquals("abcd", letters(onMount));
        assertTrue(writes.contains("append 1"), writes::toString); // the host had nothing by then
    }

    /// A page of a file that is open for appending goes to its place, even if the host has put
    /// something there: two that write later do not agree, but nothing is written twice.
    ///
    /// Seen to catch: pages appended.
    @Test
    void outOfTheCacheItGoesToItsPlace() throws Exception {
        try (Fd cached = SYS.openPath(onMount.toString(), APPEND)) {
            write(cached, 'a');
            write(cached, 'b');
            Files.writeString(file, "h".repeat(3 * PAGE));
            SYS.fsync(cached);
        }

        assertEquals("abh", letters(file));
        assertTrue(writes.stream().allMatch(write -> write.contains("page")), writes::toString);
    }
}
