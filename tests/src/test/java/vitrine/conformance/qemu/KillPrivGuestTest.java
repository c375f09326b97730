package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Result;
import vitrine.guest.qemu.Share;

/// Set-ID bits and capabilities in a real Linux guest: one program tries everything, in the guest
/// and on the host.
class KillPrivGuestTest {

    @TempDir
    private Path folder;

    private Path directory(String name) throws Exception {
        Path directory = Files.createDirectory(folder.resolve(name));
        Files.setAttribute(directory, "unix:mode", 0777);
        return directory;
    }

    /// What is left is what the host leaves, or what `docs/limits.md` says.
    ///
    /// Caught: an empty SETATTR obeyed whoever sends it.
    @ParameterizedTest
    @CsvSource({"V2, --xattr", "none, --xattr --no-killpriv-v2"})
    void whatIsLeftIsWhatTheHostWouldLeave(String agreement, String options) throws Exception {
        Needs.tool("qemu-system-x86_64", "qemu-system-x86");
        KillPrivProgram program = KillPrivProgram.compiled(folder);
        String path = program.path().toString();
        List<String> onHost = program.run(directory("host"));
        Hardware hardware = Hardware.small().with(path).within(Duration.ofMinutes(4));
        Share share = Share.of(directory("share"));

        Result inGuest = new QemuGuest(hardware, share, DaemonProgram.of("ours", options)).run(path);

        assertEquals(0, inGuest.exitCode(), inGuest::errors);
        KillPrivProgram.requireAsOnHost(
                agreement, onHost, inGuest.output().lines().toList());
    }

    /// The same through a DAX window, where a write is a store and carries no order: an empty
    /// SETATTR comes before it, or a mode. Without V2 obeyed, a program of mode 4777 would keep its
    /// bit. Linux 6.12 does the same as 6.1, as long as it says who asks.
    @ParameterizedTest
    @CsvSource({
        "V2 DAX, 6.1, always, --xattr",
        "none DAX, 6.1, always, --xattr --no-killpriv-v2",
        "V2 DAX, 6.12, inode, --xattr --no-idmapped-mounts"
    })
    void soItIsThroughADaxWindow(String agreement, String kernel, String mode, String options) throws Exception {
        Hardware usual = OtherKernelsTest.under(kernel, DaxHardware.needed());
        KillPrivProgram program = KillPrivProgram.compiled(folder);
        String path = program.path().toString();
        List<String> onHost = program.run(directory("host"));
        Share share = Share.of(directory("share")).withDax(mode);
        DaemonProgram daemon = DaemonProgram.of("ours", "--tag=share --dax=always " + options);

        Result inGuest = new QemuGuest(usual.with(path).within(Duration.ofMinutes(4)), share, daemon).run(path);

        assertEquals(0, inGuest.exitCode(), inGuest::errors);
        KillPrivProgram.requireAsOnHost(
                agreement, onHost, inGuest.output().lines().toList());
    }
}
