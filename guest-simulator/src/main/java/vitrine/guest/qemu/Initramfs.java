package vitrine.guest.qemu;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The guest's initial file system: all that a guest has besides the share.
///
/// ```
/// init                 the first process, a shell script: see the resource beside this class
/// bin/busybox, bin/sh  one static program with some 270 commands
/// vitrine/modules/     the kernel modules, and `order`, the order to load them in
/// vitrine/settings     the share's tag and mount options, as shell variables
/// vitrine/command      the command to run
/// …                    the files of the host that were asked for, with their libraries
/// ```
///
/// It is written anew for each run: that takes milliseconds, and there is nothing to keep in step.
public final class Initramfs {

    // A line of ldd(1): "libc.so.6 => /lib/…/libc.so.6 (0x…)", or "/lib64/ld-linux….so.2 (0x…)".
    private static final Pattern LIBRARY = Pattern.compile("(?:^|\\s)(/\\S+) \\(0x", Pattern.MULTILINE);

    // As in Debian, so that a name means the same number here and there.
    private static final String USERS = "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n";
    private static final String GROUPS = "root:x:0:\nnogroup:x:65534:\n";

    private static final int PT_INTERP = 3; // elf.h: the program wants a dynamic linker
    private static final int ELF_MAGIC = 0x464c457f;

    private final Cpio archive = new Cpio();
    private final Set<Path> copied = new HashSet<>();

    /// The parts that every guest has.
    public Initramfs(GuestKernel kernel, PackageCache cache)
            throws GuestFailedException, IOException, InterruptedException {
        // The kernel opens /dev/console for init before there is a devtmpfs.
        archive.device("dev/console", 0600, 5, 1);
        for (String mountPoint : List.of("proc", "sys", "run", "tmp", "root", "etc", "mnt")) {
            archive.folder(mountPoint);
        }
        archive.file("init", 0755, resource("init"));
        archive.file("etc/passwd", 0644, text(USERS));
        archive.file("etc/group", 0644, text(GROUPS));
        archive.file("bin/busybox", 0755, Files.readAllBytes(busybox(cache)));
        archive.link("bin/sh", "busybox");
        StringBuilder order = new StringBuilder();
        for (KernelModule module : kernel.modules()) {
            archive.file("vitrine/modules/" + module.name() + ".ko", 0644, module.content());
            order.append(module.name()).append('\n');
        }
        archive.file("vitrine/modules/order", 0644, text(order.toString()));
    }

    /// Adds files of the host at the same path in the guest: by path, or programs by name. The
    /// shared libraries of a program come along.
    public void with(List<String> hostFiles) throws GuestFailedException, IOException, InterruptedException {
        for (String name : hostFiles) {
            Path file = HostTool.search(name)
                    .orElseThrow(() -> new GuestFailedException("no such file for the guest: " + name));
            copy(file);
            if (isDynamic(file)) {
                String libraries = HostTool.find("ldd", "libc-bin")
                        .run(Path.of("/"), file.toRealPath().toString());
                for (var library = LIBRARY.matcher(libraries); library.find(); ) {
                    copy(Path.of(library.group(1)));
                }
            }
        }
    }

    /// Ends the file system with what this run is about, and gives its bytes.
    public byte[] finish(Share share, String command) {
        String tag = ShellWords.quote(share.tag());
        String options = ShellWords.quote(share.mountOptions());
        archive.file("vitrine/settings", 0644, text("TAG=" + tag + "\nOPTIONS=" + options + "\n"));
        archive.file("vitrine/command", 0644, text(command));
        return archive.finish();
    }

    private void copy(Path file) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        if (copied.add(absolute)) {
            int permissions = Files.isExecutable(file) ? 0755 : 0644;
            archive.file(absolute.toString().substring(1), permissions, Files.readAllBytes(file));
        }
    }

    private static Path busybox(PackageCache cache) throws GuestFailedException, IOException, InterruptedException {
        Path installed = Path.of("/bin/busybox");
        if (Files.isExecutable(installed) && !isDynamic(installed)) {
            return installed;
        }
        return cache.prepared("busybox-static", (name, _) -> List.of(name), (unpacked, target) -> {
                    Path usual = unpacked.resolve("bin/busybox"); // newer Debians have everything in /usr
                    Path merged = unpacked.resolve("usr/bin/busybox");
                    Files.copy(Files.exists(usual) ? usual : merged, target.resolve("busybox"));
                })
                .resolve("busybox");
    }

    /// Whether this is an ELF program that needs shared libraries (elf.h: Elf64_Ehdr, Elf64_Phdr).
    static boolean isDynamic(Path file) throws IOException {
        ByteBuffer elf = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        if (elf.capacity() < 64 || elf.getInt(0) != ELF_MAGIC) {
            return false;
        }
        long programHeaders = elf.getLong(32); // e_phoff
        int size = Short.toUnsignedInt(elf.getShort(54)); // e_phentsize
        int count = Short.toUnsignedInt(elf.getShort(56)); // e_phnum
        for (int i = 0; i < count; i++) {
            long at = programHeaders + (long) i * size;
            if (at + 4 <= elf.capacity() && elf.getInt((int) at) == PT_INTERP) {
                return true;
            }
        }
        return false;
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Initramfs.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
