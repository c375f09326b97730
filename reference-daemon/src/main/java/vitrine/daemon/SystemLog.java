package vitrine.daemon;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;

/// The system's log, by its socket (RFC 3164, as syslog(3) writes it).
final class SystemLog implements BiConsumer<System.Logger.Level, String> {

    private static final Path SOCKET = Path.of("/dev/log");
    private static final int FACILITY_DAEMON = 3;
    private static final int LONGEST = 1024;

    private final UnixSocket socket;

    private SystemLog(UnixSocket socket) {
        this.socket = socket;
    }

    /// Connects, while the path can still be seen.
    ///
    /// @throws IllegalArgumentException if nobody listens there
    static SystemLog open() {
        try {
            return new SystemLog(UnixSocket.connectDatagram(new Syscalls(Libc.load()), SOCKET));
        } catch (ErrnoException e) {
            throw new IllegalArgumentException("--syslog: " + e.getMessage() + "; is a syslog daemon running?", e);
        }
    }

    @Override
    public void accept(System.Logger.Level level, String line) {
        byte[] bytes = ("<" + priority(level) + ">virtiofsd["
                        + ProcessHandle.current().pid() + "]: " + line)
                .getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocate(Math.min(bytes.length, LONGEST));
            MemorySegment.copy(bytes, 0, message, ValueLayout.JAVA_BYTE, 0, (int) message.byteSize());
            socket.send(message, List.of());
        } catch (ErrnoException _) {
            System.err.println(line); // it has gone: better here than nowhere
        }
    }

    private static int priority(System.Logger.Level level) {
        int severity = switch (level) {
            case ERROR -> 3;
            case WARNING -> 4;
            case INFO -> 6;
            default -> 7;
        };
        return FACILITY_DAEMON * 8 + severity;
    }
}
