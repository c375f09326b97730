package vitrine.daemon;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.session.FuseSession;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.virtqueue.DescriptorChain;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// A rehearsal, run once after the build: the JVM keeps what it loaded and linked meanwhile, and
/// the next starts take a third of the time.
final class WarmUp {

    private static final long ROOT = 1;
    private static final int REPLY_ROOM = 4096;

    private WarmUp() {}

    /// Starts a daemon for an empty directory, lets a front end come and go, and serves a few
    /// requests.
    ///
    /// @return the process's exit code
    static int run() {
        try {
            Path directory = Files.createTempDirectory("vitrine-warm-up");
            Path file = Files.createFile(directory.resolve("file"));
            Path socket = directory.resolve("socket");
            try {
                serve(directory);
                return listenOnce(directory, socket);
            } finally {
                Files.deleteIfExists(socket);
                Files.delete(file);
                Files.delete(directory);
            }
        } catch (IOException | ErrnoException | InterruptedException e) {
            System.err.println("vitrine daemon: the rehearsal failed: " + e.getMessage());
            return 1;
        }
    }

    /// The daemon itself, with all that belongs to a start. Who says nothing is no front end, so
    /// ours says something before it leaves.
    ///
    /// In a thread of its own, because who has gone into the sandbox does not come back.
    private static int listenOnce(Path directory, Path socket) throws InterruptedException {
        Thread.ofPlatform().daemon().start(() -> comeAndGo(socket));
        AtomicInteger exitCode = new AtomicInteger(1);
        Thread daemon = Thread.ofPlatform()
                .start(() -> exitCode.set(
                        Main.run(System.out, System.err, "--shared-dir=" + directory, "--socket-path=" + socket)));
        daemon.join();
        return exitCode.get();
    }

    private static void comeAndGo(Path socket) {
        while (!Files.exists(socket)) {
            Thread.onSpinWait(); // what the daemon loads until then is to be kept, not what we load
        }
        Syscalls sys = new Syscalls(Libc.load());
        while (true) {
            try {
                FrameStream frontend = new FrameStream(UnixSocket.connect(sys, socket));
                frontend.send(new NegotiationMessage.SetOwner().toFrame(false));
                frontend.close();
                return;
            } catch (ErrnoException _) {
                Thread.yield(); // the socket is there, but nobody listens yet
            }
        }
    }

    private static void serve(Path directory) throws ErrnoException {
        Syscalls sys = new Syscalls(Libc.load());
        try (PassthroughFs fileSystem = new PassthroughFs(sys, directory.toString(), PassthroughOptions.DEFAULT);
                Arena arena = Arena.ofConfined()) {
            FuseSession session = new FuseSession(fileSystem);
            Buffers reply = Buffers.of(arena.allocate(REPLY_ROOM));
            for (FuseRequest request : conversation()) {
                session.serve(new DescriptorChain(0, request.encode().all(), reply, 2));
            }
        }
    }

    private static List<FuseRequest> conversation() {
        InHeader root = InHeader.of(2, ROOT, 0, 0, 0);
        InHeader file = InHeader.of(4, ROOT + 1, 0, 0, 0);
        return List.of(
                new SessionRequest.Init(root, new InitIn(7, 38, 131_072, -1, -1)),
                new InodeRequest.Getattr(root, new GetattrIn(0, 0)),
                new InodeRequest.Lookup(root, Name.of("file")),
                new FileRequest.Open(file, new OpenIn(0, 0)),
                new FileRequest.Read(file, new ReadIn(1, 0, 1, 0, 0, 0)),
                new SessionRequest.Destroy(root));
    }
}
