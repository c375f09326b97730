package vitrine.conformance.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import vitrine.conformance.rules.Needs;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;

/// A file system that is mounted for a test.
public record Mounted(Path where) implements AutoCloseable {

    private static final long IMAGE_BYTES = 20 << 20;
    private static final long XFS_IMAGE_BYTES = 320 << 20; // mkfs.xfs makes none below 300 MiB

    /// An empty file system in memory, of which no inode number is ever used again.
    public static Mounted tmpfs(Path where) throws Exception {
        return mount(where, "-t", "tmpfs", "none");
    }

    /// The same, which is full when it holds so many bytes.
    public static Mounted tmpfs(Path where, long bytes) throws Exception {
        return mount(where, "-t", "tmpfs", "-o", "size=" + bytes, "none");
    }

    /// The same, and nobody can change it.
    public static Mounted readOnly(Path where) throws Exception {
        return mount(where, "-t", "tmpfs", "-o", "ro", "none");
    }

    /// An empty ext4, which uses an inode number again at once; its image is made beside it.
    public static Mounted ext4(Path where, String... mkfsOptions) throws Exception {
        Needs.tool("mkfs.ext4", "e2fsprogs");
        List<String> mkfs = new ArrayList<>(List.of("mkfs.ext4", "-q"));
        mkfs.addAll(List.of(mkfsOptions));
        return image(where, IMAGE_BYTES, mkfs);
    }

    /// An empty XFS, whose files can share blocks.
    public static Mounted xfs(Path where) throws Exception {
        Needs.tool("mkfs.xfs", "xfsprogs");
        return image(where, XFS_IMAGE_BYTES, List.of("mkfs.xfs", "-q", "-m", "reflink=1"));
    }

    private static Mounted image(Path where, long bytes, List<String> mkfs) throws Exception {
        Path image = where.resolveSibling(where.getFileName() + ".image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(bytes);
        }
        List<String> command = new ArrayList<>(mkfs);
        command.add(image.toString());
        assertEquals(0, run(command));
        return mount(where, "-o", "loop", image.toString());
    }

    /// What is at `what`, at a second place.
    public static Mounted bind(Path what, Path where) throws Exception {
        return mount(where, "--bind", what.toString());
    }

    /// The same, and nobody can change it there.
    public static Mounted bindReadOnly(Path what, Path where) throws Exception {
        return mount(where, "--bind", "-o", "ro", what.toString());
    }

    /// The lower directory, written to in another one: as the root of most containers is.
    public static Mounted overlay(Path lower, Path where) throws Exception {
        return overlay(lower, where, "index=off");
    }

    /// The same, so that its files have handles.
    public static Mounted overlayWithHandles(Path lower, Path where) throws Exception {
        return overlay(lower, where, "index=on,nfs_export=on");
    }

    private static Mounted overlay(Path lower, Path where, String option) throws Exception {
        Path upper = Files.createDirectory(where.resolveSibling(where.getFileName() + ".upper"));
        Path work = Files.createDirectory(where.resolveSibling(where.getFileName() + ".work"));
        String options = "lowerdir=" + lower + ",upperdir=" + upper + ",workdir=" + work + "," + option;
        return mount(where, "-t", "overlay", "-o", options, "none");
    }

    private static Mounted mount(Path where, String... how) throws Exception {
        List<String> command = new ArrayList<>(List.of("mount"));
        command.addAll(List.of(how));
        command.add(where.toString());
        Needs.that(run(command) == 0, "needs mount(2), that is CAP_SYS_ADMIN, for " + String.join(" ", command));
        return new Mounted(where);
    }

    /// Takes all the room that is left on it.
    public void fill() throws ErrnoException {
        try (Fd all = SYS.openPath(where.resolve("all").toString(), Fcntl.O_RDWR | Fcntl.O_CREAT)) {
            long size = 0;
            for (long more = 1 << 28; more >= SYS.pageSize(); more /= 2) {
                try {
                    SYS.fallocate(all, 0, size, more);
                    size += more;
                } catch (ErrnoException e) {
                    assertEquals(Errno.ENOSPC, e.errno(), e.call());
                }
            }
        }
    }

    /// Whether it can be unmounted, and is by now: not if somebody has a descriptor of it.
    public boolean unmount() throws Exception {
        return run(List.of("umount", where.toString())) == 0;
    }

    /// Unmounts it, now or when nobody uses it any more.
    @Override
    public void close() throws IOException {
        run(List.of("umount", "-l", where.toString()));
    }

    private static int run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
