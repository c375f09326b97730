package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.posix.Fd;
import vitrine.posix.Libc;

/// `--syslog`: the log goes where the system keeps its own.
class SystemLogTest {

    private static final Path SOCKET = Path.of("/dev/log");
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;

    @TempDir
    private Path folder;

    /// Each line is one datagram, with facility and severity in front (RFC 3164): 3 * 8 + 6 for
    /// what is good to know.
    ///
    /// Seen to catch: the severity of an error for all; the log on standard error.
    @Test
    void theLogGoesToTheSystemsLog() throws Exception {
        Needs.root();
        Needs.that(Files.notExists(SOCKET), "needs a machine without a system log, to play it");
        Path share = Files.createDirectory(folder.resolve("share"));
        Libc libc = DaemonProcess.SYS.libc();
        try (Fd log = new Fd(libc.socket(AF_UNIX, SOCK_DGRAM, 0), libc);
                Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(2 + SOCKET.toString().length() + 1L);
            address.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) AF_UNIX);
            address.setString(2, SOCKET.toString());
            assertEquals(0, libc.bind(log.number(), address.address(), (int) address.byteSize()));
            Path socket = folder.resolve("socket");
            try (DaemonProcess daemon =
                    DaemonProcess.run(folder, "--shared-dir=" + share, "--socket-path=" + socket, "--syslog")) {
                MemorySegment line = arena.allocate(2048);
                long length = libc.read(log.number(), line.address(), line.byteSize());

                String text =
                        new String(line.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
                assertTrue(text.startsWith("<30>virtiofsd[" + daemon.pid() + "]: "), text);
                assertTrue(text.contains("sharing " + share), text);
                assertEquals("", daemon.err());
            }
        } finally {
            Files.deleteIfExists(SOCKET);
        }
    }

    /// Without a system log the daemon does not start, and says what is missing.
    @Test
    void withoutASystemLogItSaysSo() throws Exception {
        Needs.that(Files.notExists(SOCKET), "needs a machine without a system log");

        DaemonProcess daemon = DaemonProcess.run(folder, "--shared-dir=/", "--socket-path=/nowhere/s", "--syslog");

        assertEquals(2, daemon.exitCode());
        assertTrue(daemon.err().contains("--syslog: nobody listens on /dev/log: ENOENT"), daemon.err());
    }
}
