package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.vhostuser.Host.SYS;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.Manners;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.vhostuser.BackendChannel;
import vitrine.vhostuser.Connection;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.BackendMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.WindowPayload.Piece;
import vitrine.wire.MalformedException;

/// The front end's side of the second socket, with our back end, and with one that does what QEMU
/// does not survive.
@Timeout(60)
class FrontendWindowTest {

    private static final long RAM = 4 << 20;
    private static final long WINDOW = 1 << 20;
    private static final long PIECE = SYS.pageSize();
    private static final FrontendOptions OPTIONS =
            FrontendOptions.of(Manners.QEMU_11, RAM).withWindow();

    @TempDir
    private Path directory;

    private Path file;
    private BackendChannel second; // the back end's end of the second socket

    @BeforeEach
    void write() throws Exception {
        file = Files.writeString(directory.resolve("f"), "x".repeat((int) PIECE));
    }

    private Frontend connect(RecordingDevice device, FrontendOptions options) throws Exception {
        return Frontend.connect(SYS, new BackendLink(device, Overheard::new).socket, options);
    }

    /// Keeps the second socket for the test.
    private final class Overheard implements Connection {

        private final Connection connection;

        private Overheard(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Optional<Received> receive() throws MalformedException, ErrnoException {
            return connection.receive();
        }

        @Override
        public void reply(Received received, Payload answer) throws ErrnoException {
            connection.reply(received, answer);
        }

        @Override
        public BackendChannel channel(Syscalls sys, Fd socket) {
            second = connection.channel(sys, socket);
            return second;
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    private Fd open(int flags) throws ErrnoException {
        return SYS.openPath(file.toString(), flags);
    }

    /// The whole way: order, message, mapping, answer, announcement; and back.
    ///
    /// Seen to catch: a front end that announces nothing (the device has two regions); that does
    /// not map (a bus error).
    @ParameterizedTest
    @ValueSource(longs = {0, Features.CONFIGURE_MEM_SLOTS})
    void aPieceOfAFileIsInTheGuestsMemoryFromOrderToOrder(long without) throws Exception {
        RecordingDevice device = RecordingDevice.withWindow(WINDOW);
        try (Frontend frontend = connect(device, OPTIONS.withoutProtocolFeatures(without))) {
            frontend.startQueues(16);

            var mapped = device.window.map(open(Fcntl.O_RDWR), 0, PIECE, PIECE);
            assertEquals(0, WindowLink.result(mapped));

            var window = frontend.window().orElseThrow();
            window.store(PIECE, "guest".getBytes(StandardCharsets.UTF_8));
            assertTrue(Files.readString(file).startsWith("guestx"));
            assertArrayEquals(new byte[] {'g', 'u'}, window.load(PIECE, 2));
            assertEquals(3, device.ring(1).memory().regions().size());

            assertEquals(0, WindowLink.result(device.window.unmap(PIECE, PIECE)));
            assertThrows(BusErrorException.class, () -> window.load(PIECE, 1));
            frontend.stopQueue(1); // has an answer: all before has been obeyed
            assertEquals(2, device.ring(0).memory().regions().size());
            assertEquals(List.of(), frontend.offences());
            assertEquals(0, Host.timesOpen(file), "on either side");
        }
    }

    /// A refusal is an answer, and the next message is served.
    @Test
    void whatIsRefusedIsAnsweredAndTheSocketLives() throws Exception {
        RecordingDevice device = RecordingDevice.withWindow(WINDOW);
        try (Frontend frontend = connect(device, OPTIONS)) {
            frontend.startQueues(16);

            for (Piece wrong : List.of(new Piece(0, 0, WINDOW, PIECE, 1), new Piece(3, 0, 0, PIECE, 1))) {
                assertEquals(1, answerTo(new BackendMessage.Map(wrong, open(Fcntl.O_RDWR))));
                assertEquals(1, answerTo(new BackendMessage.Unmap(wrong)));
            }
            assertEquals(0, answerTo(new BackendMessage.Map(new Piece(0, 0, 0, PIECE, 1), open(Fcntl.O_RDWR))));
            assertEquals(List.of(), frontend.offences());
        }
    }

    private long answerTo(BackendMessage message) throws Exception {
        second.send(message);
        message.fds().forEach(Fd::close);
        return second.answer().orElseThrow();
    }

    /// QEMU 11.1 ends with a segmentation fault.
    ///
    /// Seen to catch: WindowRequests.obey that does not look whether the device runs.
    @Test
    void aMessageBeforeTheStartOrAfterTheStopIsAnOffence() throws Exception {
        RecordingDevice device = RecordingDevice.withWindow(WINDOW);
        BackendMessage unmap = new BackendMessage.Unmap(new Piece(0, 0, 0, PIECE, 0));
        try (Frontend frontend = connect(device, OPTIONS)) {
            assertEquals(1, answerTo(unmap));
            assertEquals(1, frontend.offences().size());
            frontend.startQueues(16);
            answerTo(unmap);
            assertEquals(1, frontend.offences().size());
            frontend.stopQueue(0);
            answerTo(unmap);
            assertEquals(2, frontend.offences().size());
        }
    }

    /// QEMU 11.1 closes the socket, and so does ours; the device and its requests live on.
    @Test
    void whoHandsOverWhatIsNotOpenIsNotHeardAnyMore() throws Exception {
        RecordingDevice device = RecordingDevice.withWindow(WINDOW);
        try (Frontend frontend = connect(device, OPTIONS)) {
            frontend.startQueues(16);

            second.send(new BackendMessage.Map(new Piece(0, 0, 0, PIECE, 1), open(Fcntl.O_PATH)));

            assertEquals(Optional.empty(), second.answer());
            assertEquals(1, frontend.offences().size());
            assertTrue(frontend.isConnected());
        }
    }

    /// vhost-user, "Shared memory regions": a device that was reset has an empty window.
    ///
    /// Seen to catch: Frontend.reset without empty.
    @Test
    void aResetEmptiesTheWindow() throws Exception {
        RecordingDevice device = RecordingDevice.withWindow(WINDOW);
        try (Frontend frontend = connect(device, OPTIONS)) {
            frontend.startQueues(16);
            WindowLink.result(device.window.map(open(Fcntl.O_RDWR), 0, 0, PIECE));
            frontend.stopQueue(0);
            frontend.stopQueue(1);

            frontend.reset();

            assertEquals(0, frontend.window().orElseThrow().pieces());
            frontend.startQueues(16);
            assertEquals(2, device.ring(1).memory().regions().size());
            WindowLink.result(device.window.map(open(Fcntl.O_RDWR), 0, 0, PIECE));
            assertEquals(1, frontend.window().orElseThrow().pieces());
        }
    }

    /// GET_SHMEM_CONFIG is a claim as well.
    @ParameterizedTest
    @ValueSource(longs = {3 << 20, 512, 1L << 50})
    void aWindowOfAnImpossibleSizeIsRefused(long size) {
        assertThrows(FrontendException.class, () -> connect(RecordingDevice.withWindow(size), OPTIONS));
    }

    /// Who has no room for it, or a device without one.
    @Test
    void thereIsAWindowOnlyWhereBothHaveOne() throws Exception {
        FrontendOptions without = FrontendOptions.of(Manners.QEMU_11, RAM);
        for (Frontend frontend : List.of(
                connect(RecordingDevice.withWindow(WINDOW), without),
                connect(RecordingDevice.withWindow(WINDOW), OPTIONS.withoutProtocolFeatures(Features.BACKEND_REQ)),
                connect(new RecordingDevice(), OPTIONS))) {
            try (frontend) {
                assertEquals(Optional.empty(), frontend.window());
            }
        }
    }
}
