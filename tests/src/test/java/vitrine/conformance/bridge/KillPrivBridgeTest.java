package vitrine.conformance.bridge;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.qemu.KillPrivProgram;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.Device;
import vitrine.guest.bridge.Bridge;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// Set-ID bits and capabilities with this host's kernel as the guest's, which is newer than the
/// guest of other tests and can do what that one cannot.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class KillPrivBridgeTest {

    private static final Syscalls SYS = new Syscalls(Libc.load());

    @TempDir
    private Path folder;

    private volatile boolean idmapped; // INIT comes while the mount is already there

    private Path directory(String name) throws Exception {
        Path directory = Files.createDirectory(folder.resolve(name));
        Files.setAttribute(directory, "unix:mode", 0777);
        return directory;
    }

    /// What is left is what the host leaves, or what `docs/limits.md` says.
    ///
    /// Field report: libkrun #568.
    ///
    /// Caught: an empty SETATTR that says the time, too, taken for a change; one whose sender is
    /// not told obeyed whatever is open.
    @ParameterizedTest
    @ValueSource(strings = {"none", "V2", "V2 write-back", "V2 idmapped"})
    void whatIsLeftIsWhatTheHostWouldLeave(String agreement) throws Exception {
        Needs.file("/dev/fuse", "modprobe fuse");
        KillPrivProgram program = KillPrivProgram.compiled(folder);
        List<String> onHost = program.run(directory("host"));
        PassthroughOptions options = PassthroughOptions.DEFAULT
                .with(Feature.XATTR)
                .with(Feature.KILLPRIV_V2, agreement.startsWith("V2"))
                .with(Feature.WRITEBACK, agreement.endsWith("write-back"))
                .with(Feature.IDMAPPED_MOUNTS, agreement.endsWith("idmapped"));
        Path share = directory("share");
        Path mountPoint = directory("mnt");

        List<String> inGuest;
        try (PassthroughFs fileSystem = new PassthroughFs(SYS, share.toString(), options);
                Bridge _ = Bridge.mount(
                        Device.inProcess(request -> answer(fileSystem, request), Bridge.options()),
                        Bridge.options(),
                        mountPoint,
                        SYS,
                        2)) {
            inGuest = program.run(mountPoint);
        }

        Needs.that(
                idmapped || !agreement.endsWith("idmapped"),
                "needs identity-mapped mounts of FUSE: Linux 6.12 or newer");
        KillPrivProgram.requireAsOnHost(agreement, onHost, inGuest);
    }

    private Reply answer(PassthroughFs fileSystem, FuseRequest request) throws ErrnoException {
        if (request instanceof SessionRequest.Init init) {
            idmapped = InitFlag.ALLOW_IDMAP.in(init.in().allFlags());
        }
        return fileSystem.answer(request);
    }
}
