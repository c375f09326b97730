package vitrine.conformance.bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FuseRequest;
import vitrine.guest.Device;
import vitrine.guest.bridge.Bridge;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// A test has a folder of its own, which this host's kernel mounts over a bridge once [#mount] was
/// called.
abstract class MountedFolder {

    static final Syscalls SYS = new Syscalls(Libc.load());

    @TempDir
    Path folder; // has `share` and `mnt` in it, and nothing else

    Path share;
    Path mountPoint;
    Bridge bridge; // null: not mounted

    private PassthroughFs fileSystem;

    @BeforeEach
    final void makeFolders() throws Exception {
        Needs.root();
        Needs.file("/dev/fuse", "modprobe fuse");
        share = Files.createDirectory(folder.resolve("share"));
        mountPoint = Files.createDirectory(folder.resolve("mnt"));
    }

    /// Mounts it.
    ///
    /// @param before sees each request before it is answered
    /// @param threads how many take requests from `/dev/fuse`
    final void mount(PassthroughOptions options, Consumer<FuseRequest> before, int threads) throws Exception {
        fileSystem = new PassthroughFs(SYS, share.toString(), options);
        Device device = Device.inProcess(
                request -> {
                    before.accept(request);
                    return fileSystem.answer(request);
                },
                Bridge.options());
        bridge = Bridge.mount(device, Bridge.options(), mountPoint, SYS, threads);
    }

    @AfterEach
    final void unmount() throws IOException {
        if (bridge != null) {
            bridge.close();
            fileSystem.close();
            bridge = null;
        }
    }
}
