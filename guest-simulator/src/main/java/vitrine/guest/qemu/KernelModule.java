package vitrine.guest.qemu;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A loadable module of the kernel.
///
/// A kernel package has no `modules.dep`: `depmod` makes that file when the package is installed,
/// and ours is only unpacked. But each module says itself what it needs, in its ELF section
/// `.modinfo`, as a string `depends=fuse,virtio,virtio_ring`.
///
/// @param name    as `insmod` would show it: `virtio_pci`
/// @param content the ELF file, no longer compressed
/// @param depends the modules that must be loaded before
public record KernelModule(String name, byte[] content, List<String> depends) {

    private static final Pattern FILE_NAME = Pattern.compile("(.+)\\.ko(\\.xz|\\.zst|\\.gz)?");
    private static final Pattern DEPENDS = Pattern.compile("\0depends=([^\0]*)\0");

    /// Reads the wanted modules and all that they need, each after the ones it needs.
    ///
    /// @param tree a folder with module files somewhere below; a wanted module that has no file
    ///             there is taken to be built into the kernel
    public static List<KernelModule> load(Path tree, List<String> wanted)
            throws GuestFailedException, IOException, InterruptedException {
        Map<String, Path> files = files(tree);
        Map<String, KernelModule> loaded = new LinkedHashMap<>();
        for (String name : wanted) {
            load(name, files, loaded);
        }
        return List.copyOf(loaded.values());
    }

    private static void load(String name, Map<String, Path> files, Map<String, KernelModule> loaded)
            throws GuestFailedException, IOException, InterruptedException {
        Path file = files.get(name);
        if (file == null || loaded.containsKey(name)) {
            return;
        }
        byte[] content = content(file);
        List<String> depends = depends(content);
        for (String needed : depends) {
            load(needed, files, loaded);
        }
        loaded.put(name, new KernelModule(name, content, depends));
    }

    private static Map<String, Path> files(Path tree) throws IOException {
        Map<String, Path> files = new LinkedHashMap<>();
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                Matcher name = FILE_NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    files.put(name.group(1).replace('-', '_'), file); // virtio-gpu.ko is virtio_gpu
                }
            }
        }
        return files;
    }

    private static byte[] content(Path file) throws GuestFailedException, IOException, InterruptedException {
        String name = file.getFileName().toString();
        if (name.endsWith(".xz")) {
            return decompressed(file, HostTool.find("xz", "xz-utils"));
        } else if (name.endsWith(".zst")) {
            return decompressed(file, HostTool.find("zstd", "zstd"));
        } else if (name.endsWith(".gz")) {
            return decompressed(file, HostTool.find("gzip", "gzip"));
        }
        return Files.readAllBytes(file);
    }

    private static byte[] decompressed(Path file, HostTool tool)
            throws GuestFailedException, IOException, InterruptedException {
        Process process = new ProcessBuilder(tool.program().toString(), "-dc", file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        process.getInputStream().transferTo(content);
        if (process.waitFor() != 0) {
            throw new GuestFailedException(tool.program() + " cannot decompress " + file);
        }
        return content.toByteArray();
    }

    private static List<String> depends(byte[] elf) {
        Matcher depends = DEPENDS.matcher(new String(elf, StandardCharsets.ISO_8859_1));
        List<String> names = new ArrayList<>();
        if (depends.find()) {
            for (String name : depends.group(1).split(",")) {
                names.add(name.replace('-', '_'));
            }
        }
        names.remove(""); // no dependency is an empty string
        return names;
    }
}
