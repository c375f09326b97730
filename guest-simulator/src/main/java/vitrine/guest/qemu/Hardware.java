package vitrine.guest.qemu;

import java.time.Duration;
import java.util.List;

/// What the guest is made of.
///
/// @param qemu    the program that plays it, by its path or its name in PATH
/// @param kernel  a version of Linux, a Debian package, or a path: see [GuestKernel#prepare]
/// @param memory  as QEMU reads it: `512M`, `2G`
/// @param cpus    number of virtual processors
/// @param with    programs and files of the host that the guest gets too, see [Initramfs]
/// @param boot    more parameters for its kernel, as `selinux=1`; empty for none
/// @param timeout longest time for everything, from the start of QEMU to its end
public record Hardware(
        String qemu, String kernel, String memory, int cpus, List<String> with, String boot, Duration timeout) {

    /// QEMU as distributions call it.
    public static final String DEFAULT_QEMU = "qemu-system-x86_64";

    /// Debian's kernel for virtual machines: small, with virtio-fs as a module.
    public static final String DEFAULT_KERNEL = "linux-image-cloud-amd64";

    /// Copies the list.
    public Hardware {
        with = List.copyOf(with);
    }

    /// One processor, 512 MiB, Debian's cloud kernel, two minutes.
    public static Hardware small() {
        return new Hardware(DEFAULT_QEMU, DEFAULT_KERNEL, "512M", 1, List.of(), "", Duration.ofMinutes(2));
    }

    /// The same hardware, with these programs or files of the host in the guest.
    public Hardware with(String... hostFiles) {
        return new Hardware(qemu, kernel, memory, cpus, List.of(hostFiles), boot, timeout);
    }

    /// The same hardware, given up after another time.
    public Hardware within(Duration otherTimeout) {
        return new Hardware(qemu, kernel, memory, cpus, with, boot, otherTimeout);
    }

    /// The same hardware, played by another QEMU.
    public Hardware in(String otherQemu) {
        return new Hardware(otherQemu, kernel, memory, cpus, with, boot, timeout);
    }

    /// The same hardware under another kernel.
    public Hardware under(String otherKernel) {
        return new Hardware(qemu, otherKernel, memory, cpus, with, boot, timeout);
    }

    /// The same hardware with more or less memory.
    public Hardware withMemory(String otherMemory) {
        return new Hardware(qemu, kernel, otherMemory, cpus, with, boot, timeout);
    }

    /// The same hardware with more processors.
    public Hardware onCpus(int otherCpus) {
        return new Hardware(qemu, kernel, memory, otherCpus, with, boot, timeout);
    }

    /// The same hardware, with more parameters for the kernel.
    public Hardware booting(String parameters) {
        return new Hardware(qemu, kernel, memory, cpus, with, parameters, timeout);
    }
}
