package vitrine.guest.program;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import vitrine.daemon.VirtioFsDevice;
import vitrine.dax.Window;
import vitrine.fuse.FileSystem;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.Share;
import vitrine.guest.qemu.ShareServer;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.session.FuseSession;
import vitrine.vhostuser.Backend;
import vitrine.vhostuser.Connection;
import vitrine.wire.MalformedException;

/// A file system of this process as the daemon of a guest in QEMU: one front end, and no more.
record PlayedServer(FileSystem fileSystem, Syscalls sys, Window window) implements ShareServer {

    private static final long PARTING = 5; // seconds

    @Override
    public String shown(Path directory) {
        return "this process, which plays what each program needs";
    }

    @Override
    public Running start(Path socket, Path directory, Consumer<String> log) throws GuestFailedException {
        try {
            UnixSocket listening = UnixSocket.listen(sys, socket);
            CompletableFuture<String> ending = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("vhost-user").start(() -> ending.complete(serve(listening)));
            return new Serving(listening, ending);
        } catch (ErrnoException e) {
            throw new GuestFailedException("no socket for the guest: " + e.getMessage());
        }
    }

    private String serve(UnixSocket listening) {
        VirtioFsDevice device = new VirtioFsDevice(sys, new FuseSession(fileSystem), 1, Share.DEFAULT_TAG, window);
        try (Backend backend = new Backend(Connection.over(listening.accept()), device, sys)) {
            backend.run();
            return "the front end has left";
        } catch (MalformedException | ErrnoException e) {
            return "the connection to QEMU ended: " + e.getMessage();
        }
    }

    private record Serving(UnixSocket listening, CompletableFuture<String> end) implements Running {

        @Override
        public void awaitListening() {
            // It has been since it was started.
        }

        @Override
        public void whenEnded(Runnable then) {
            end.thenRun(then);
        }

        @Override
        public String ending() {
            return end.join();
        }

        @Override
        public String lastWords() {
            return end.getNow("the server is there");
        }

        @Override
        public int waitFor() throws InterruptedException {
            try {
                end.get(PARTING, TimeUnit.SECONDS);
                return 0;
            } catch (ExecutionException | TimeoutException _) {
                return -1;
            }
        }

        @Override
        public void close() {
            listening.close();
        }
    }
}
