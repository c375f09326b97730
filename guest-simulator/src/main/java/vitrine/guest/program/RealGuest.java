package vitrine.guest.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Result;
import vitrine.guest.qemu.Share;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// A real Linux in QEMU: booted once for all programs, with a mount for each.
public final class RealGuest implements Performer {

    private final Syscalls sys = new Syscalls(Libc.load());
    private final Hardware hardware;
    private final Client client;

    /// @param hardware with the kernel that is wanted
    /// @param version of it
    public RealGuest(Hardware hardware, String version) {
        this.hardware = hardware;
        this.client = new Client(version, true);
    }

    @Override
    public Client client() {
        return client;
    }

    @Override
    public List<Performance> perform(List<Program> programs) throws IOException, InterruptedException {
        try (TemporaryFolder folder = TemporaryFolder.named("vitrine-program-")) {
            Path interpreter = Interpreter.compiled(folder.path()).path();
            Path script = folder.path().resolve("steps");
            Files.writeString(script, Interpreter.script(programs, client));
            Path shares = Files.createDirectory(folder.path().resolve("shares"));
            try (Playbill playbill = new Playbill(programs, shares, sys)) {
                QemuGuest guest = new QemuGuest(
                        hardware.with(interpreter.toString(), script.toString()),
                        Share.of(shares),
                        new PlayedServer(playbill, sys));
                Result result = guest.run("cd / && umount /mnt && uname -r && " + interpreter + " /mnt "
                        + Share.DEFAULT_TAG + " <" + script);
                requireDone(result);
                return playbill.performances(client);
            }
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void requireDone(Result result) throws IOException {
        if (result.exitCode() != 0) {
            throw new IOException("the programs ended with " + result.exitCode() + ": " + result.errors());
        }
        if (!result.output().startsWith(client.version() + ".")) {
            throw new IOException("the kernel is Linux " + result.output().strip() + ", not " + client.version());
        }
    }
}
