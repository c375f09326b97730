package vitrine.conformance.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import javafx.scene.input.KeyCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Result;
import vitrine.guest.qemu.Share;
import vitrine.trace.CaptureServer;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.command.Opened;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.TimelineView;

/// The window beside a daemon that is at work.
class LiveTest extends AtTheWindow {

    @TempDir
    private Path folder;

    private static Reader followed(CaptureServer server, Path socket) throws Exception {
        Reader reader = Reader.follows(socket);
        while (server.viewers() == 0) {
            Thread.sleep(5);
        }
        return reader;
    }

    /// The window follows to the last event; a pause stops the view, and nothing else.
    ///
    /// Caught: a feed that goes on showing after the pause.
    @Test
    void theWindowFollowsAndAPauseStopsTheViewOnly() throws Exception {
        Run run = Opened.run("first-byte");
        int half = run.size() / 2;
        Path socket = folder.resolve("now");
        try (CaptureServer server = CaptureServer.listen(socket, Map.of())) {
            Reader reader = followed(server, socket);
            tell(server, run, 0, half);
            Screen.until("the first half", () -> reader.text("#status").startsWith("step " + half + " of " + half));

            reader.presses(KeyCode.SPACE);
            tell(server, run, half, run.size());
            Thread.sleep(900); // two refreshes
            assertTrue(reader.status().startsWith("step " + half + " of " + half), reader.status());

            reader.presses(KeyCode.SPACE);
            assertEquals(run.size(), reader.step());
        }
    }

    /// What a viewer was too slow for is counted, and drawn where it is missing.
    ///
    /// Caught: events that stand for none counted as one.
    @Test
    void whatIsLostIsCountedAndDrawnAsAGap() throws Exception {
        Run run = Opened.run("first-byte");
        int half = run.size() / 2;
        Path socket = folder.resolve("now");
        try (CaptureServer server = CaptureServer.listen(socket, Map.of())) {
            Reader reader = followed(server, socket);
            tell(server, run, 0, half);
            server.add(new TraceEvent.Dropped(run.event(half).at(), 1234));
            tell(server, run, half, run.size());

            Screen.until("the loss", () -> reader.text("#status").contains("1234 events lost"));

            List<TraceEvent> seen = new ArrayList<>(
                    IntStream.range(0, run.size()).mapToObj(run::event).toList());
            seen.add(half, new TraceEvent.Dropped(run.event(half).at(), 1234));
            Run lossy = Run.of(seen, Map.of());
            assertTrue(new TimelineView()
                    .parts(Subject.of(lossy, Session.START, 900, 150)).stream()
                            .anyMatch(part -> part.id().equals("event-" + half)
                                    && part.says().contains("1234")));
        }
    }

    /// A real Linux in QEMU, its daemon, and the window that follows; beside it somebody who has
    /// connected and never reads. The guest ends as it would alone.
    ///
    /// Seen to catch: a feed that is read and not shown.
    @Test
    void aRealGuestIsFollowedWhileItWorks() throws Exception {
        Needs.tool("qemu-system-x86_64", "qemu-system-x86");
        Needs.tool("busybox", "busybox-static");
        Path share = Files.createDirectory(folder.resolve("share"));
        Files.writeString(share.resolve("letter"), "Dear reader,\n");
        Path socket = folder.resolve("now");
        DaemonProgram daemon = new DaemonProgram(
                DaemonProcess.command("--socket-path={socket}", "--shared-dir={dir}", "--capture-socket=" + socket));
        QemuGuest guest = new QemuGuest(Hardware.small().within(Duration.ofMinutes(4)), Share.of(share), daemon);
        FutureTask<Result> work =
                new FutureTask<>(() -> guest.run("cat letter; until ls | grep -q seen; do usleep 50000; done"));
        Thread.ofPlatform().daemon().start(work);

        try (SocketChannel _ = connected(socket, work)) {
            Reader reader = Reader.follows(socket);
            reader.asks("op == OPEN");
            Screen.until("OPEN", () -> reader.requests().matches("[1-9]\\d* requests.*"));
            Files.writeString(share.resolve("seen"), "");
            Result result = work.get();

            assertEquals("Dear reader,\n", result.output(), result::errors);
            assertEquals(0, result.daemonStatus());
            Screen.until("the end", () -> reader.said().contains("has ended"));
            Screen.until("one OPEN", () -> reader.requests().startsWith("1 requests"));
            assertTrue(reader.asks("").settles().status().matches(".* request \\d+ of \\d\\d.*"), reader.status());
        }
    }

    /// A connection, as soon as somebody listens.
    private static SocketChannel connected(Path socket, Future<?> whileUnderWay) throws Exception {
        while (true) {
            try {
                return SocketChannel.open(UnixDomainSocketAddress.of(socket));
            } catch (IOException e) {
                if (whileUnderWay.isDone()) {
                    throw e;
                }
                Thread.sleep(20);
            }
        }
    }

    private static void tell(CaptureServer server, Run run, int from, int to) {
        for (int n = from; n < to; n++) {
            server.add(run.event(n));
        }
    }
}
