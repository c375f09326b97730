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
import vitrine.guest.qemu.ShellWords;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// A real Linux in QEMU: booted once for all programs, with a mount for each.
public final class RealGuest implements Performer {

    private final Syscalls sys = new Syscalls(Libc.load());
    private final Hardware hardware;
    private final Client client;

    /// @param hardware with the kernel that is wanted; with DAX, in QEMU 11 or newer
    /// @param version of it
    /// @param dax whether there is a DAX window
    public RealGuest(Hardware hardware, String version, boolean dax) {
        this.hardware = hardware;
        this.client = new Client(version, true, dax);
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
            try (HostWindow host = client.dax() ? HostWindow.open(sys) : HostWindow.none();
                    Playbill playbill = new Playbill(programs, shares, sys, host.window())) {
                Share share = client.dax() ? Share.of(shares).withDax("always") : Share.of(shares);
                QemuGuest guest = new QemuGuest(
                        hardware.with(interpreter.toString(), script.toString()),
                        share,
                        new PlayedServer(playbill, sys, host.window()));
                String mount = ShellWords.quote(List.of("/mnt", share.tag(), share.mountOptions()));
                requireDone(
                        guest.run("cd / && umount /mnt && uname -r && " + interpreter + " " + mount + " <" + script));
                return playbill.performances(client);
            }
        } catch (ErrnoException e) {
            throw new IOException("a DAX window takes Linux 6.9 on the host, and root: " + e.getMessage(), e);
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
