package vitrine.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import vitrine.trace.CaptureReader;
import vitrine.trace.CaptureServer;
import vitrine.trace.TraceEvent;

/// A capture for whoever connects, while it happens.
@Timeout(60)
class CaptureServerTest {

    private static final int MANY = 200_000; // more than wait in a queue and in a socket

    @TempDir
    private Path folder;

    /// A viewer that stays until the end, and what it was told so far.
    private static final class Viewer {

        private final List<TraceEvent> told = Collections.synchronizedList(new ArrayList<>());
        private final SocketChannel channel;
        private Thread reading;

        Viewer(Path socket) throws IOException {
            channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        }

        Viewer reads() {
            reading = Thread.ofPlatform().daemon().start(() -> {
                try (InputStream in = Channels.newInputStream(channel)) {
                    CaptureReader.follow(in, told::add);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            return this;
        }

        boolean knows(TraceEvent event) {
            return !told.isEmpty() && told.getLast().equals(event);
        }

        List<TraceEvent> told() throws InterruptedException {
            reading.join();
            return told;
        }
    }

    private static void await(CaptureServer server, int viewers) throws InterruptedException {
        while (server.viewers() != viewers) {
            Thread.sleep(2);
        }
    }

    /// Each viewer is told what happens from when it came, and a viewer that leaves is nobody's
    /// loss.
    ///
    /// Caught: a viewer that has left kept in the list.
    @Test
    void everyViewerIsToldWhatHappensFromWhenItCame() throws Exception {
        Path socket = folder.resolve("now");
        Viewer first;
        Viewer second;
        try (CaptureServer server = CaptureServer.listen(socket, Map.of("cache", "AUTO"))) {
            server.add(Events.numbered(0)); // before anybody came
            first = new Viewer(socket).reads();
            await(server, 1);
            server.add(Events.numbered(1));
            second = new Viewer(socket).reads();
            Viewer third = new Viewer(socket);
            await(server, 3);
            third.channel.close();
            await(server, 2);
            server.add(Events.numbered(2));
        }
        assertEquals(List.of(Events.numbered(1), Events.numbered(2)), first.told());
        assertEquals(List.of(Events.numbered(2)), second.told());
        assertFalse(Files.exists(socket));
    }

    /// Who does not read loses events and learns how many; whoever tells them does not wait.
    ///
    /// Caught: the gap left out.
    @Test
    void aViewerThatDoesNotReadLosesEventsAndNobodyWaits() throws Exception {
        Path socket = folder.resolve("now");
        Viewer slow;
        try (CaptureServer server = CaptureServer.listen(socket, Map.of())) {
            slow = new Viewer(socket);
            await(server, 1);
            for (int i = 0; i < MANY; i++) {
                server.add(Events.numbered(i));
            }
            slow.reads();
            while (!slow.knows(Events.numbered(MANY))) {
                server.add(Events.numbered(MANY)); // the first of these that has room tells how many are missing
                Thread.sleep(5);
            }
        }
        List<TraceEvent> told = slow.told();
        long lost = told.stream()
                .mapToLong(event -> event instanceof TraceEvent.Dropped gap ? gap.events() : 0)
                .sum();
        long kept = told.stream()
                .filter(event -> !(event instanceof TraceEvent.Dropped))
                .count();
        assertTrue(lost > 0, "nothing was lost, so nothing was tested");
        long last = told.stream().filter(Events.numbered(MANY)::equals).count();
        assertTrue(lost + kept - last >= MANY, () -> lost + " lost and " + kept + " kept of more than " + MANY);
    }

    /// Caught: `removeIfDead` that removes what answers.
    @Test
    void aSocketInUseIsNotTakenAndADeadOneIsReplaced() throws Exception {
        Path socket = folder.resolve("now");
        try (CaptureServer _ = CaptureServer.listen(socket, Map.of())) {
            IOException refused = assertThrows(IOException.class, () -> CaptureServer.listen(socket, Map.of()));
            assertTrue(refused.getMessage().contains("already in use"), refused.getMessage());
        }
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(socket));
        }
        assertTrue(Files.exists(socket));
        CaptureServer.listen(socket, Map.of()).close();

        Path file = Files.writeString(folder.resolve("file"), "precious");
        assertThrows(IOException.class, () -> CaptureServer.listen(file, Map.of()));
        assertEquals("precious", Files.readString(file));
    }
}
