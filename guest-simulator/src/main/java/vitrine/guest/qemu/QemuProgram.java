package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// QEMU's command line for a guest.
final class QemuProgram {

    private static final Pattern VERSION = Pattern.compile("version ([0-9.]+)");

    // No disk to ask, no timer to doubt on a busy host; panics end the guest, and its messages go
    // where we read them.
    private static final String KERNEL_LINE = "console=ttyS0 quiet panic=-1 edd=off no_timer_check random.trust_cpu=on";

    private final HostTool qemu;

    private QemuProgram(HostTool qemu) {
        this.qemu = qemu;
    }

    /// The QEMU that a person asks for.
    ///
    /// @param choice a program, by its path or its name in PATH
    static QemuProgram find(String choice) throws GuestFailedException {
        return new QemuProgram(HostTool.find(choice, "qemu-system-x86"));
    }

    /// As QEMU itself says it, `7.2.22`.
    String version() throws GuestFailedException, IOException, InterruptedException {
        Matcher version = VERSION.matcher(qemu.run(Path.of("/"), "--version"));
        return version.find() ? version.group(1) : "?";
    }

    /// Whether it has the device that a DAX window needs: QEMU 11 and later.
    boolean hasWindows() throws GuestFailedException, IOException, InterruptedException {
        String major = version().replaceFirst("[.].*", "");
        return !major.matches("[0-9]{1,4}") || Integer.parseInt(major) >= 11;
    }

    /// The command line. The guest's first serial port, its console, is QEMU's standard output.
    List<String> command(Hardware hardware, Accelerator accelerator, Path kernel, Path initramfs) {
        List<String> line = new ArrayList<>(List.of(qemu.program().toString(), "-nodefaults", "-no-reboot"));
        // Both processes must see the guest's memory: it is a file that QEMU passes to the daemon.
        line.addAll(List.of("-accel", accelerator.option, "-machine", "q35,memory-backend=mem"));
        line.addAll(List.of("-object", "memory-backend-memfd,id=mem,share=on,size=" + hardware.memory()));
        line.addAll(List.of("-m", hardware.memory(), "-smp", String.valueOf(hardware.cpus())));
        line.addAll(List.of("-cpu", accelerator.processor, "-display", "none", "-serial", "stdio"));
        String parameters = KERNEL_LINE + " " + hardware.boot();
        line.addAll(List.of("-kernel", kernel.toString(), "-initrd", initramfs.toString(), "-append", parameters));
        line.addAll(List.of("-device", "virtio-serial-pci"));
        return line;
    }

    /// The share's device, at the other end of the daemon's socket.
    static List<String> share(Share share, Path socket) {
        Share.Queues queues = share.queues();
        String device = share.window()
                ? "vhost-user-test-device-pci,chardev=fs,virtio-id=26,config_size=40,num_vqs=" + (1 + queues.count())
                        + ",vq_size=" + queues.size()
                : "vhost-user-fs-pci,chardev=fs,queue-size=" + queues.size() + ",num-request-queues=" + queues.count()
                        + ",tag=" + commas(share.tag());
        String packed = queues.packed() ? ",packed=on" : "";
        return List.of("-chardev", "socket,id=fs,path=" + commas(socket.toString()), "-device", device + packed);
    }

    /// A serial port, number `number` in the guest, at the other end of a socket of ours.
    static List<String> port(int number, Path socket) {
        String id = "port" + number;
        return List.of(
                "-chardev",
                "socket,id=" + id + ",path=" + commas(socket.toString()),
                "-device",
                "virtserialport,nr=" + number + ",chardev=" + id);
    }

    /// A serial port, number `number` in the guest, that takes what is written and has nothing to
    /// be read.
    static List<String> silentPort(int number) {
        String id = "port" + number;
        return List.of(
                "-chardev",
                "file,path=/dev/null,id=" + id,
                "-device",
                "virtserialport,nr=" + number + ",chardev=" + id);
    }

    private static String commas(String value) {
        return value.replace(",", ",,"); // QEMU's way to quote one
    }
}
