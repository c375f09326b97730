package vitrine.conformance.qemu;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/// Kernels that look like one from outside, and packages with them.
final class KernelFiles {

    private KernelFiles() {}

    /// An image that tells its version (Linux, Documentation/arch/x86/boot.rst: kernel_version).
    static Path image(Path file, String version) throws IOException {
        ByteBuffer image = ByteBuffer.allocate(2048).order(ByteOrder.LITTLE_ENDIAN);
        image.put(0x202, "HdrS".getBytes(StandardCharsets.US_ASCII));
        image.putShort(0x20e, (short) 0x400); // from the second sector on
        image.put(0x600, (version + " (who built it) #1").getBytes(StandardCharsets.US_ASCII));
        Files.createDirectories(file.getParent());
        return Files.write(file, image.array());
    }

    /// A module, as a file that one of these programs compresses; "" for none.
    static void module(Path folder, String name, String depends, String compressor) throws Exception {
        Files.createDirectories(folder);
        Path file = folder.resolve(name + ".ko");
        Files.writeString(file, "\0name=" + name + "\0depends=" + depends + "\0");
        if (!compressor.isEmpty()) {
            run(folder, compressor, "-q", file.toString());
            Files.deleteIfExists(file); // zstd keeps it
        }
    }

    /// Packs a folder; the package depends on others.
    static Path deb(Path content, String name, String depends) throws Exception {
        Path about = Files.createDirectories(content.resolve("DEBIAN")).resolve("control");
        Files.write(
                about,
                List.of(
                        "Package: " + name,
                        "Version: 1-1",
                        "Architecture: amd64",
                        "Maintainer: nobody",
                        "Description: a kernel for a test"));
        if (!depends.isEmpty()) {
            Files.writeString(about, "Depends: " + depends + "\n", StandardOpenOption.APPEND);
        }
        Path deb = content.resolveSibling(name + "_1-1_amd64.deb");
        run(content, "dpkg-deb", "--root-owner-group", "-b", content.toString(), deb.toString());
        return deb;
    }

    /// Makes a folder with packages one that apt can be asked about: `apt.conf` in it says how.
    static void repository(Path folder, List<Path> debs) throws Exception {
        StringBuilder index = new StringBuilder();
        for (Path deb : debs) {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(deb));
            index.append(run(folder, "dpkg-deb", "-f", deb.toString()))
                    .append("Filename: ./")
                    .append(Files.move(deb, folder.resolve(deb.getFileName())).getFileName())
                    .append("\nSize: ")
                    .append(Files.size(folder.resolve(deb.getFileName())))
                    .append("\nSHA256: ")
                    .append(HexFormat.of().formatHex(sum))
                    .append("\n\n");
        }
        Files.writeString(folder.resolve("Packages"), index);
        Files.writeString(folder.resolve("status"), "");
        Files.createDirectories(folder.resolve("lists/partial"));
        Files.createDirectories(folder.resolve("cache/archives/partial"));
        Files.writeString(folder.resolve("sources.list"), "deb [trusted=yes] file:" + folder + " ./\n");
        Files.writeString(folder.resolve("apt.conf"), """
                Dir::State "%1$s";
                Dir::State::status "%1$s/status";
                Dir::Cache "%1$s/cache";
                Dir::Etc::sourcelist "%1$s/sources.list";
                Dir::Etc::sourceparts "/dev/null";
                APT::Architecture "amd64";
                #clear APT::Update;
                """.formatted(folder));
        run(folder, "apt-get", "-c", folder.resolve("apt.conf").toString(), "update");
    }

    static String run(Path folder, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + said);
        }
        return said;
    }
}
