package vitrine.conformance.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.conformance.rules.Needs;
import vitrine.guest.compare.RepeatingGuest;
import vitrine.guest.compare.RequestKind;
import vitrine.guest.compare.ShareOfFiles;
import vitrine.guest.cost.Entry;
import vitrine.guest.cost.Ledger;
import vitrine.posix.UnixSocket;
import vitrine.trace.CaptureReader;

/// What each request costs, as whoever opens the capture of a real daemon sees it.
@Timeout(60)
class CapturedCostTest {

    private static final int DEPTH = 16;

    /// Runs a daemon that captures, and asks for everything that is counted.
    private static Path captured(Path folder) throws Exception {
        Path share = Files.createDirectory(folder.resolve("share"));
        Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwxrwxrwx"));
        ShareOfFiles.fill(share);
        Path capture = folder.resolve("run.pcapng");
        try (DaemonProcess daemon = DaemonProcess.serving(folder, share, "--capture=" + capture)) {
            try (RepeatingGuest guest =
                    new RepeatingGuest(DaemonProcess.SYS, UnixSocket.connect(DaemonProcess.SYS, daemon.socket()))) {
                guest.createAndRemove("warm"); // the thread finds out who it is
                for (RequestKind kind : List.of(
                        RequestKind.GETATTR,
                        RequestKind.LOOKUP,
                        RequestKind.READ_4K,
                        RequestKind.WRITE_4K,
                        RequestKind.WRITE_1M)) {
                    guest.pump().run(guest.ready(kind), DEPTH, 1);
                }
                guest.become(1000);
                for (int i = 0; i < 3; i++) {
                    guest.createAndRemove("file" + i);
                }
            }
            assertEquals(0, daemon.exitCode(), daemon.err());
        }
        return capture;
    }

    /// The system calls by which the requests of this opcode were served: each different way once,
    /// in the order in which they came.
    private static List<Map<String, Long>> ways(Ledger ledger, String opcode) {
        return ledger.entries().stream()
                .skip(2) // INIT, and the CREATE of "warm"
                .filter(entry -> entry.opcode().equals(opcode))
                .map(Entry::hostCalls)
                .distinct()
                .toList();
    }

    /// At depth 16 as at any other: one call for the data, one to look, three to find something
    /// new, five to make a file for a user.
    ///
    /// Seen to catch: a LOOKUP that opens before it looks; a thread that gives the groups back
    /// after each file; a WRITE that seeks first.
    @Test
    void aCaptureShowsTheCallsOfEachRequest(@TempDir Path folder) throws Exception {
        Needs.root();

        Ledger ledger = Ledger.of(CaptureReader.read(captured(folder)).events());

        assertEquals(List.of(Map.of("statx", 1L)), ways(ledger, "GETATTR"));
        assertEquals(List.of(Map.of("statx", 2L, "openat", 1L), Map.of("statx", 1L)), ways(ledger, "LOOKUP"));
        assertEquals(List.of(Map.of("preadv2", 1L)), ways(ledger, "READ"));
        assertEquals(List.of(Map.of("pwritev2", 1L)), ways(ledger, "WRITE"));
        assertEquals(
                List.of(
                        Map.of("openat", 2L, "statx", 1L, "setresuid", 2L, "setfsgid", 2L), // another group
                        Map.of("openat", 2L, "statx", 1L, "setresuid", 2L)),
                ways(ledger, "CREATE"));
    }
}
