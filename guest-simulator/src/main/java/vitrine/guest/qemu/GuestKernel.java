package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A Linux kernel that can boot as a guest, and its modules for virtio-fs and serial ports.
///
/// @param release its version as `uname -r` says it
/// @param image   the `vmlinuz`
/// @param modules the modules to load, in this order
public record GuestKernel(String release, Path image, List<KernelModule> modules) {

    private static final List<String> WANTED = List.of("virtio_pci", "virtio_console", "virtiofs");

    // A package such as linux-image-cloud-amd64 is empty, and depends on the newest with a version.
    private static final Pattern REAL_PACKAGE = Pattern.compile("Depends: (linux-image-\\S+)");

    private static final Pattern IMAGE_NAME = Pattern.compile("vmlinuz-(.+)");

    /// Finds a kernel, and fetches it when it is not on this machine.
    ///
    /// @param kernel a Debian package; or the path of a `.deb`; or that of a `vmlinuz-VERSION` with
    ///               its modules in `../lib/modules/VERSION` or `/lib/modules/VERSION`
    public static GuestKernel prepare(String kernel, PackageCache cache)
            throws GuestFailedException, IOException, InterruptedException {
        if (!kernel.contains("/")) {
            return kept(cache.prepared(kernel, name -> realPackage(name, cache), GuestKernel::keep));
        }
        Path path = Path.of(kernel).toAbsolutePath();
        if (!Files.isRegularFile(path)) {
            throw new GuestFailedException("there is no kernel " + path);
        }
        if (!kernel.endsWith(".deb")) {
            return ofImage(path);
        }
        return kept(cache.preparedFrom(path, GuestKernel::keep));
    }

    private static String realPackage(String kernel, PackageCache cache)
            throws GuestFailedException, IOException, InterruptedException {
        String about = HostTool.find("apt-cache", "apt").run(cache.folder(), "depends", kernel);
        Matcher real = REAL_PACKAGE.matcher(about);
        return real.find() ? real.group(1) : kernel;
    }

    /// Keeps the kernel and the few modules we need (15 MB) of a package with a thousand (106 MB).
    private static void keep(Path unpacked, Path target)
            throws GuestFailedException, IOException, InterruptedException {
        GuestKernel found = ofTree(unpacked);
        Path modules = Files.createDirectory(target.resolve("modules"));
        for (KernelModule module : found.modules) {
            Files.write(modules.resolve(module.name() + ".ko"), module.content());
        }
        Files.copy(found.image, target.resolve("vmlinuz-" + found.release));
    }

    private static GuestKernel kept(Path folder) throws GuestFailedException, IOException, InterruptedException {
        Path image = imageIn(folder);
        return new GuestKernel(release(image), image, KernelModule.load(folder.resolve("modules"), WANTED));
    }

    private static GuestKernel ofTree(Path root) throws GuestFailedException, IOException, InterruptedException {
        return ofImage(imageIn(root.resolve("boot")));
    }

    private static GuestKernel ofImage(Path image) throws GuestFailedException, IOException, InterruptedException {
        String release = release(image);
        Path root = image.toAbsolutePath().getParent().resolveSibling(""); // …/boot/vmlinuz-V is of …
        for (Path tree :
                List.of(root.resolve("lib/modules"), root.resolve("usr/lib/modules"), Path.of("/lib/modules"))) {
            if (Files.isDirectory(tree.resolve(release))) {
                return new GuestKernel(release, image, KernelModule.load(tree.resolve(release), WANTED));
            }
        }
        throw new GuestFailedException("there are no modules for " + image + ": no lib/modules/" + release);
    }

    private static Path imageIn(Path folder) throws GuestFailedException, IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file ->
                            IMAGE_NAME.matcher(file.getFileName().toString()).matches())
                    .findFirst()
                    .orElseThrow(() -> new GuestFailedException("no vmlinuz in " + folder));
        }
    }

    private static String release(Path image) throws GuestFailedException {
        Matcher name = IMAGE_NAME.matcher(image.getFileName().toString());
        if (!name.matches()) {
            throw new GuestFailedException("not named vmlinuz-VERSION: " + image);
        }
        return name.group(1);
    }
}
