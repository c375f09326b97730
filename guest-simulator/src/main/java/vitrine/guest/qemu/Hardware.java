package vitrine.guest.qemu;

import java.time.Duration;
import java.util.List;

/// What the guest is made of.
///
/// @param kernel  a Debian package with a kernel, or the path of a `vmlinuz-VERSION` or `.deb`
/// @param memory  as QEMU reads it: `512M`, `2G`
/// @param cpus    number of virtual processors
/// @param with    programs and files of the host that the guest gets too, see [Initramfs]
/// @param timeout longest time for everything, from the start of QEMU to its end
public record Hardware(String kernel, String memory, int cpus, List<String> with, Duration timeout) {

    /// Debian's kernel for virtual machines: small, with virtio-fs as a module.
    public static final String DEFAULT_KERNEL = "linux-image-cloud-amd64";

    /// Copies the list.
    public Hardware {
        with = List.copyOf(with);
    }

    /// One processor, 512 MiB, Debian's cloud kernel, two minutes.
    public static Hardware small() {
        return new Hardware(DEFAULT_KERNEL, "512M", 1, List.of(), Duration.ofMinutes(2));
    }

    /// The same hardware, with these programs or files of the host in the guest.
    public Hardware with(String... hostFiles) {
        return new Hardware(kernel, memory, cpus, List.of(hostFiles), timeout);
    }

    /// The same hardware, given up after another time.
    public Hardware within(Duration otherTimeout) {
        return new Hardware(kernel, memory, cpus, with, otherTimeout);
    }
}
