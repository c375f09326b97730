package vitrine.conformance.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.conformance.rules.Needs;
import vitrine.guest.compare.Pump;
import vitrine.guest.compare.RepeatingGuest;
import vitrine.guest.compare.RequestKind;
import vitrine.guest.compare.ShareOfFiles;
import vitrine.posix.UnixSocket;

/// What a request asks the host's memory for, beside the JVM's heap: nothing.
///
/// A library is loaded into the daemon's process before all others (`LD_PRELOAD`) and takes the
/// place of malloc(3): it counts the calls of the thread that serves the requests, whoever makes
/// them, Java's arenas, jnr-ffi or the C library.
@Timeout(60)
class NativeAllocationTest {

    private static final int ROUNDS = 40;

    @TempDir
    private Path folder;

    /// A few calls there may be: the JVM's own, when it has a method compiled.
    ///
    /// Seen to catch: an arena for the iovec of each READ (2560 calls for 2560 requests).
    @Test
    void noRequestTakesNativeMemory() throws Exception {
        Needs.root();
        Needs.tool("gcc", "gcc libc6-dev");
        Path counter = Files.write(folder.resolve("counter"), new byte[4096]);
        Path share = Files.createDirectory(folder.resolve("share"));
        ShareOfFiles.fill(share);
        Map<String, String> environment = Map.of("LD_PRELOAD", compiled().toString(), "COUNT_FILE", counter.toString());
        try (DaemonProcess daemon = DaemonProcess.servingWith(environment, folder, share);
                RepeatingGuest guest =
                        new RepeatingGuest(DaemonProcess.SYS, UnixSocket.connect(DaemonProcess.SYS, daemon.socket()))) {
            for (RequestKind kind :
                    List.of(RequestKind.GETATTR, RequestKind.LOOKUP, RequestKind.READ_4K, RequestKind.WRITE_4K)) {
                List<Pump.Slot> slots = guest.ready(kind);
                guest.pump().run(slots, 16, ROUNDS); // the thread gets its scratch memory, and Java its classes
                long before = count(counter);

                guest.pump().run(slots, 16, ROUNDS);

                long calls = count(counter) - before;
                int requests = ROUNDS * slots.size();
                assertTrue(before > 0, "the thread's own memory is counted");
                assertTrue(calls < requests / 10, kind + ": " + calls + " calls of malloc in " + requests);
            }
        }
    }

    private static long count(Path counter) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(counter))
                .order(ByteOrder.nativeOrder())
                .getLong();
    }

    private Path compiled() throws Exception {
        Path source = folder.resolve("countmalloc.c");
        Path library = folder.resolve("countmalloc.so");
        Files.write(source, getClass().getResourceAsStream("countmalloc.c").readAllBytes());
        Process gcc = new ProcessBuilder("gcc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(gcc.getInputStream().readAllBytes());
        assertEquals(0, gcc.waitFor(), said);
        return library;
    }
}
