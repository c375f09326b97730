package vitrine.daemon;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
import vitrine.wire.MalformedException;
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
                listenOnce(directory, socket);
                serve(directory);
            } finally {
                Files.deleteIfExists(socket);
                Files.delete(file);
                Files.delete(directory);
            }
            return 0;
        } catch (IOException | ErrnoException | MalformedException e) {
            System.err.println("vitrine daemon: the rehearsal failed: " + e.getMessage());
            return 1;
        }
    }

    private static void listenOnce(Path directory, Path socket) throws IOException, ErrnoException, MalformedException {
        DaemonOptions options = new DaemonOptions();
        new picocli.CommandLine(options)
                .parseArgs("--shared-dir=" + directory, "--socket-path=" + socket, "--log-level=off");
        StandardErrorLog.setLevel(options.logLevel);
        try (Daemon daemon = new Daemon(options)) {
            FrameStream frontend = new FrameStream(UnixSocket.connect(new Syscalls(Libc.load()), socket));
            frontend.send(new NegotiationMessage.SetOwner().toFrame(false)); // who says nothing is none
            frontend.close();
            daemon.run();
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
