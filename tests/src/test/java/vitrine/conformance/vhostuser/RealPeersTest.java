package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.qemu.TestedDaemon;
import vitrine.conformance.rules.Needs;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.Manners;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.posix.ErrnoException;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.Backend;
import vitrine.vhostuser.Connection;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.FrontendRequest;
import vitrine.vhostuser.message.Payload;
import vitrine.wire.MalformedException;

/// Each of our ends with somebody else's other end, where the host has one installed.
@Timeout(60)
class RealPeersTest {

    private static final Path QEMU = Path.of("/usr/bin/qemu-system-x86_64");

    @TempDir
    private Path directory;

    private Process peer;

    @AfterEach
    void endPeer() throws InterruptedException {
        if (peer != null) {
            peer.destroyForcibly();
            peer.waitFor(10, TimeUnit.SECONDS);
        }
    }

    /// A real QEMU, whose guest is not even started, has these questions, and is content with the
    /// answers: it says nothing more. When it is killed it has left in good order.
    @Test
    void aRealQemuShakesHandsWithOurBackEnd() throws IOException, ErrnoException, MalformedException {
        Needs.file(QEMU.toString(), "install qemu-system-x86");
        Path path = directory.resolve("socket");
        List<FrontendRequest> asked = new ArrayList<>();
        try (UnixSocket listening = UnixSocket.listen(Host.SYS, path)) {
            peer = start(qemu(path));
            Connection heard = new Listening(Connection.over(listening.accept()), asked, this::killAfterHandshake);

            new Backend(heard, new RecordingDevice(), Host.SYS).run();
        }

        assertEquals(
                List.of(
                        FrontendRequest.GET_FEATURES,
                        FrontendRequest.GET_PROTOCOL_FEATURES,
                        FrontendRequest.SET_PROTOCOL_FEATURES,
                        FrontendRequest.GET_QUEUE_NUM,
                        FrontendRequest.GET_MAX_MEM_SLOTS,
                        FrontendRequest.SET_BACKEND_REQ_FD,
                        FrontendRequest.SET_OWNER,
                        FrontendRequest.GET_FEATURES,
                        FrontendRequest.SET_VRING_CALL,
                        FrontendRequest.SET_VRING_ERR,
                        FrontendRequest.SET_VRING_CALL,
                        FrontendRequest.SET_VRING_ERR),
                asked);
    }

    private void killAfterHandshake(List<FrontendRequest> asked) {
        if (asked.stream().filter(FrontendRequest.SET_VRING_ERR::equals).count() == 2) {
            peer.destroyForcibly();
        }
    }

    private static List<String> qemu(Path socket) {
        return List.of((QEMU + " -S -machine q35,accel=tcg -display none -nodefaults -m 64M"
                        + " -object memory-backend-memfd,id=mem,size=64M,share=on -numa node,memdev=mem"
                        + " -chardev socket,id=c,path=" + socket + " -device vhost-user-fs-pci,chardev=c,tag=t")
                .split(" "));
    }

    /// The daemons of other projects accept our front end, in both manners and with either way to
    /// announce memory; queues start, stop, and go on.
    @ParameterizedTest
    @EnumSource(names = {"C", "RUST"})
    void ourFrontEndDrivesTheDaemonOfAnotherProject(TestedDaemon daemon) throws Exception {
        Needs.root();
        DaemonProgram program = daemon.program();
        for (Manners manners : Manners.values()) {
            for (long without : new long[] {0, Features.CONFIGURE_MEM_SLOTS}) {
                Path path = directory.resolve(manners + "-" + without);
                peer = start(program.command(path, directory));
                FrontendOptions options = FrontendOptions.of(manners, 4 << 20).withoutProtocolFeatures(without);
                try (Frontend frontend = Frontend.connect(Host.SYS, connect(path), options)) {
                    assertEquals(2, frontend.startQueues(128).size());

                    assertEquals(0, frontend.stopQueue(1));
                    frontend.resumeQueue(1, 0);
                    assertEquals(0, frontend.stopQueue(0));
                    assertEquals(0, frontend.stopQueue(1));
                }
                peer.destroyForcibly();
            }
        }
    }

    private UnixSocket connect(Path path) throws ErrnoException {
        long patience = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (true) {
            try {
                return UnixSocket.connect(Host.SYS, path);
            } catch (ErrnoException e) {
                if (System.nanoTime() > patience || !peer.isAlive()) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }

    /// A connection that notes what was asked, and is told when an answer is out.
    private record Listening(Connection connection, List<FrontendRequest> asked, Consumer<List<FrontendRequest>> then)
            implements Connection {

        @Override
        public Optional<Received> receive() throws MalformedException, ErrnoException {
            Optional<Received> received = connection.receive();
            received.ifPresent(it -> asked.add(it.message().request()));
            then.accept(asked);
            return received;
        }

        @Override
        public void reply(Received received, Payload answer) throws ErrnoException {
            connection.reply(received, answer);
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
