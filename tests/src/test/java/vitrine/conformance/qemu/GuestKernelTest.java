package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.GuestKernel;
import vitrine.guest.qemu.KernelModule;
import vitrine.guest.qemu.PackageCache;

/// Kernels for guests, as Debian packs them and as people have them.
class GuestKernelTest {

    private static final String VERSION = "9.9.1+deb99-cloud-amd64";

    @TempDir
    Path folder;

    private PackageCache cache;

    @BeforeAll
    static void toolsAreThere() {
        Needs.tool("dpkg-deb", "dpkg");
        Needs.tool("xz", "xz-utils");
        Needs.tool("zstd", "zstd");
    }

    @BeforeEach
    void emptyCache() {
        cache = new PackageCache(folder.resolve("cache"), _ -> {});
    }

    /// The image and some modules, as Debian 14 packs them.
    private List<Path> halves(String compressor) throws Exception {
        Path binary = folder.resolve("binary");
        Path modules = folder.resolve("modules");
        KernelFiles.image(binary.resolve("usr/lib/modules/" + VERSION + "/vmlinuz"), VERSION);
        Path tree = modules.resolve("usr/lib/modules/" + VERSION + "/kernel/fs");
        KernelFiles.module(tree, "fuse", "", compressor);
        KernelFiles.module(tree, "virtiofs", "fuse,virtio-ring", compressor);
        KernelFiles.module(tree, "virtio-ring", "", compressor);
        KernelFiles.module(tree, "unasked", "", compressor);
        return List.of(
                KernelFiles.deb(binary, "linux-binary-" + VERSION, ""),
                KernelFiles.deb(modules, "linux-modules-" + VERSION, ""));
    }

    private static List<String> names(GuestKernel kernel) {
        return kernel.modules().stream().map(KernelModule::name).toList();
    }

    /// Until Debian 13 a kernel is one package; after that the image is one and the modules are
    /// another. Modules are compressed in one way or another.
    ///
    /// Caught: the other half not looked for; the image looked for in `boot` only; `.zst` unknown.
    @ParameterizedTest
    @ValueSource(strings = {"", "xz", "zstd", "gzip"})
    void aKernelInTwoPackagesIsPutTogether(String compressor) throws Exception {
        String deb = halves(compressor).getFirst().toString();

        GuestKernel kernel = GuestKernel.prepare(deb, cache);

        assertEquals(VERSION, kernel.release());
        assertEquals(List.of("fuse", "virtio_ring", "virtiofs"), names(kernel));
        assertEquals(names(kernel), names(GuestKernel.prepare(deb, cache)), "as it was kept");
    }

    /// Half a kernel is no kernel, and its other half is named.
    ///
    /// Caught: the first package unpacked alone, and nothing said.
    @Test
    void halfAKernelNamesItsOtherHalf() throws Exception {
        Path binary = folder.resolve("binary");
        KernelFiles.image(binary.resolve("usr/lib/modules/" + VERSION + "/vmlinuz"), VERSION);
        Path deb = KernelFiles.deb(binary, "linux-binary-" + VERSION, "");

        var failed = assertThrows(GuestFailedException.class, () -> GuestKernel.prepare(deb.toString(), cache));

        assertTrue(failed.getMessage().contains("linux-modules-" + VERSION + "_1-1_amd64.deb"), failed.getMessage());
    }

    /// A package that only depends on a kernel leads to the packages that have its files. It may be
    /// one that only the newer lists know.
    ///
    /// Caught: the first `linux-image-…` taken for the whole; `linux-modules-…` forgotten; the
    /// machine's own lists asked only.
    @ParameterizedTest
    @ValueSource(strings = {"linux-image-of-a-test", "9.9", "newest"})
    void packagesWithoutFilesLeadToTheFiles(String asked) throws Exception {
        Needs.tool("apt-get", "apt");
        Path newer = cache.folder().resolve("newer");
        for (String program : List.of("qemu-system-x86_64", "virtiofsd")) { // so that the newer software is there
            Files.createDirectories(newer.resolve("bin"));
            assertTrue(Files.createFile(newer.resolve("bin").resolve(program))
                    .toFile()
                    .setExecutable(true));
        }
        List<Path> halves = halves("xz");
        Path image = KernelFiles.deb(
                Files.createDirectory(folder.resolve("image")),
                "linux-image-" + VERSION,
                "linux-binary-" + VERSION + ", linux-modules-" + VERSION);
        Path latest = KernelFiles.deb(
                Files.createDirectory(folder.resolve("latest")), "linux-image-of-a-test", "linux-image-" + VERSION);
        KernelFiles.repository(
                Files.createDirectories(newer.resolve("apt")), List.of(halves.get(0), halves.get(1), image, latest));

        GuestKernel kernel = GuestKernel.prepare(asked, cache);

        assertEquals(VERSION, kernel.release());
        assertEquals(List.of("fuse", "virtio_ring", "virtiofs"), names(kernel));
    }

    /// A version means the newest that begins so, number by number, and what was kept needs no
    /// question.
    ///
    /// Caught: names compared as text; `6.1` taken for the beginning of `6.12`.
    @ParameterizedTest
    @CsvSource({"6.12,6.12.10", "6.12.9,6.12.9", "6.1,6.1.0-9", "6,6.12.10"})
    void aVersionMeansTheNewestThatBeginsSo(String asked, String expected) throws Exception {
        for (String version : List.of("6.12.9", "6.12.10", "6.1.0-9")) {
            String name = "linux-image-" + version + "-cloud-amd64";
            Path kept = cache.folder().resolve(name + "_1-1_amd64");
            KernelFiles.image(kept.resolve("vmlinuz-" + version), version);
            Files.createDirectory(kept.resolve("modules"));
            Files.createSymbolicLink(cache.folder().resolve(name), kept.getFileName());
        }

        assertEquals(expected, GuestKernel.prepare(asked, cache).release());
    }

    /// An image knows its version, whatever its file is called.
    ///
    /// Caught: the version taken from the name of the file.
    @Test
    void anImageMayHaveAnyName() throws Exception {
        Path image = KernelFiles.image(folder.resolve("boot/bzImage"), "9.9.1-mine");
        KernelFiles.module(folder.resolve("lib/modules/9.9.1-mine/fs"), "virtiofs", "", "");

        GuestKernel kernel = GuestKernel.prepare(image.toString(), cache);

        assertEquals("9.9.1-mine", kernel.release());
        assertEquals(List.of("virtiofs"), names(kernel));
    }

    /// What is no kernel, or lacks its modules, is refused with a reason.
    @Test
    void whatCannotBootIsRefused() throws Exception {
        Path text = Files.write(folder.resolve("vmlinuz-9.9"), new byte[5000]);
        Path lonely = KernelFiles.image(folder.resolve("boot/vmlinuz"), "9.9.2");

        assertRefused("not the image of a Linux kernel", text.toString());
        assertRefused("there is no kernel", folder.resolve("nothing").toString());
        assertRefused("lib/modules/9.9.2", lonely.toString());
    }

    private void assertRefused(String why, String kernel) {
        var failed = assertThrows(GuestFailedException.class, () -> GuestKernel.prepare(kernel, cache));
        assertTrue(failed.getMessage().contains(why), failed.getMessage());
    }
}
