package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A Linux kernel that can boot as a guest, and its modules for virtio-fs and serial ports.
///
/// @param release its version as `uname -r` says it
/// @param image   the `vmlinuz`
/// @param modules the modules to load, in this order
public record GuestKernel(String release, Path image, List<KernelModule> modules) {

    private static final List<String> WANTED = List.of("virtio_pci", "virtio_console", "virtiofs");

    // Where an image tells its version (Documentation/arch/x86/boot.rst: kernel_version).
    private static final int MAGIC_AT = 0x202;
    private static final int MAGIC = 0x53726448; // "HdrS"
    private static final int VERSION_POINTER_AT = 0x20e;
    private static final int SECTOR = 0x200;

    /// Finds a kernel, and fetches it when it is not on this machine.
    ///
    /// @param kernel a version such as `6.12`, or `newest`; a Debian package; the path of a
    ///     `.deb`; or that of an image, with its modules beside it, or below `../lib/modules` or
    ///     `/lib/modules`
    public static GuestKernel prepare(String kernel, PackageCache cache)
            throws GuestFailedException, IOException, InterruptedException {
        if (!kernel.contains("/")) {
            String name = KernelPackages.named(kernel, cache);
            return kept(cache.prepared(name, KernelPackages::contents, GuestKernel::keep));
        }
        Path path = Path.of(kernel).toAbsolutePath();
        if (!Files.isRegularFile(path)) {
            throw new GuestFailedException("there is no kernel " + path);
        }
        if (!kernel.endsWith(".deb")) {
            return ofImage(path);
        }
        return kept(cache.preparedFrom(withItsOtherHalf(path), GuestKernel::keep));
    }

    /// Where image and modules are two packages, both are needed, and lie side by side.
    private static List<Path> withItsOtherHalf(Path deb) throws GuestFailedException {
        String name = deb.getFileName().toString();
        for (String[] halves :
                new String[][] {{"linux-binary-", "linux-modules-"}, {"linux-modules-", "linux-binary-"}}) {
            if (name.startsWith(halves[0])) {
                Path other = deb.resolveSibling(halves[1] + name.substring(halves[0].length()));
                if (!Files.isRegularFile(other)) {
                    throw new GuestFailedException(deb + " is half a kernel; the other half is missing: " + other);
                }
                return List.of(deb, other);
            }
        }
        return List.of(deb);
    }

    /// Keeps the kernel and the few modules we need (15 MB) of packages with a thousand (106 MB).
    private static void keep(Path unpacked, Path target)
            throws GuestFailedException, IOException, InterruptedException {
        GuestKernel found = ofImage(imageBelow(unpacked));
        Path modules = Files.createDirectory(target.resolve("modules"));
        for (KernelModule module : found.modules) {
            Files.write(modules.resolve(module.name() + ".ko"), module.content());
        }
        Files.copy(found.image, target.resolve("vmlinuz-" + found.release));
    }

    private static GuestKernel kept(Path folder) throws GuestFailedException, IOException, InterruptedException {
        Path image = imageBelow(folder);
        return new GuestKernel(release(image), image, KernelModule.load(folder.resolve("modules"), WANTED));
    }

    private static Path imageBelow(Path folder) throws GuestFailedException, IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(
                            file -> file.getFileName().toString().startsWith("vmlinuz") && Files.isRegularFile(file))
                    .findFirst()
                    .orElseThrow(() -> new GuestFailedException("no vmlinuz in " + folder));
        }
    }

    private static GuestKernel ofImage(Path image) throws GuestFailedException, IOException, InterruptedException {
        String release = release(image);
        return new GuestKernel(release, image, KernelModule.load(modules(image, release), WANTED));
    }

    private static Path modules(Path image, String release) throws GuestFailedException {
        Path beside = image.getParent();
        if (beside.endsWith(release)) {
            return beside; // …/lib/modules/VERSION/vmlinuz
        }
        Path root = beside.resolveSibling(""); // …/boot/vmlinuz-V is of …
        List<Path> trees =
                List.of(root.resolve("lib/modules"), root.resolve("usr/lib/modules"), Path.of("/lib/modules"));
        return trees.stream()
                .map(tree -> tree.resolve(release))
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow(() -> new GuestFailedException("there are no modules for " + image + ": no "
                        + trees.getFirst() + "/" + release + " (an empty folder says that all is built in)"));
    }

    /// The version as the image says it itself, whatever its file is called.
    private static String release(Path image) throws GuestFailedException, IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(image)).order(ByteOrder.LITTLE_ENDIAN);
        if (file.capacity() < VERSION_POINTER_AT + Short.BYTES || file.getInt(MAGIC_AT) != MAGIC) {
            throw new GuestFailedException("not the image of a Linux kernel for x86: " + image);
        }
        StringBuilder release = new StringBuilder();
        int at = SECTOR + Short.toUnsignedInt(file.getShort(VERSION_POINTER_AT));
        while (at < file.capacity() && file.get(at) > ' ') { // what follows is who built it
            release.append((char) file.get(at++));
        }
        return release.toString();
    }
}
