package vitrine.guest.qemu;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A virtual machine that mounts a share, runs one command in it, and ends.
///
/// ```java
/// DaemonProgram daemon = DaemonProgram.of("ours", "");
/// QemuGuest guest = new QemuGuest(Hardware.small(), Share.of(folder), daemon);
/// Result result = guest.run("sha256sum *");
/// ```
///
/// Each run boots anew, with a daemon of its own: nothing is carried over but the folder.
public final class QemuGuest {

    private final Hardware hardware;
    private final Share share;
    private final ShareServer daemon;

    /// Describes a guest; nothing is started yet.
    public QemuGuest(Hardware hardware, Share share, ShareServer daemon) {
        this.hardware = hardware;
        this.share = share;
        this.daemon = daemon;
    }

    /// Runs a line of shell in the guest, in the share's root, and gives its output.
    ///
    /// @throws GuestFailedException if the guest did not get as far as the end of the command
    public Result run(String shellLine) throws GuestFailedException, IOException, InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Result result = run(shellLine, GuestStreams.to(out, err));
        return new Result(
                result.exitCode(),
                out.toString(StandardCharsets.UTF_8),
                err.toString(StandardCharsets.UTF_8),
                result.mountedAfter(),
                result.duration(),
                result.daemonStatus());
    }

    /// Runs a program in the guest with exactly these arguments, and gives its output.
    public Result run(List<String> command) throws GuestFailedException, IOException, InterruptedException {
        return run(ShellWords.quote(command));
    }

    /// Runs a line of shell in the guest, and streams what it writes.
    public Result run(String shellLine, GuestStreams streams)
            throws GuestFailedException, IOException, InterruptedException {
        QemuProgram qemu = QemuProgram.find(hardware.qemu());
        if (share.window() && !qemu.hasWindows()) {
            throw new GuestFailedException("a DAX window takes QEMU 11 or newer, and this is " + qemu.version()
                    + ": --newer takes the one that --setup-newer prepares, --qemu any");
        }
        PackageCache cache = PackageCache.ofUser(streams.progress());
        GuestKernel kernel = GuestKernel.prepare(hardware.kernel(), cache);
        Initramfs initramfs = new Initramfs(kernel, cache);
        initramfs.with(hardware.with());
        GuestRun.Plan plan = new GuestRun.Plan(hardware, kernel, initramfs.finish(share, shellLine), share, daemon);
        for (Accelerator accelerator : Accelerator.toTry(cache)) {
            streams.progress()
                    .accept("Linux " + kernel.release() + " in QEMU "
                            + qemu.version() + " (" + accelerator.title + "), "
                            + hardware.memory());
            try (GuestRun run = new GuestRun(plan, accelerator, streams)) {
                return run.complete();
            } catch (GuestFailedException.NoSignOfLife _) {
                streams.progress().accept("KVM does not carry a guest on this machine: once more, without it");
                Accelerator.rememberThatKvmFails(cache);
            }
        }
        throw new IllegalStateException("TCG is always tried last");
    }
}
