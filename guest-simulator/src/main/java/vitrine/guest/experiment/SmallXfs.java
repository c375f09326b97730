package vitrine.guest.experiment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import vitrine.guest.qemu.AtExit;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.HostTool;
import vitrine.guest.qemu.TemporaryFolder;

/// An XFS in a file, mounted for a while.
///
/// When a file on XFS is made longer by other means than a write, what was stored in its last page
/// is written to the disk, and waited for. On other file systems it is not.
final class SmallXfs implements AutoCloseable {

    private static final long BYTES = 1L << 30; // the least is 300 MB; most of it is a hole

    private final Path mountPoint;
    private final AtExit mounted;

    private SmallXfs(Path mountPoint, AtExit mounted) {
        this.mountPoint = mountPoint;
        this.mounted = mounted;
    }

    /// Makes one, where temporary files go.
    ///
    /// @throws NoXfsException if it cannot be had; the message says what is missing
    static SmallXfs mount() throws NoXfsException, IOException, InterruptedException {
        TemporaryFolder folder = TemporaryFolder.named("vitrine-xfs-"); // what is mounted is not in it: it is deleted
        Path mountPoint = Files.createTempDirectory("vitrine-mount-");
        AtExit made = AtExit.undo(() -> {
            Files.delete(mountPoint);
            folder.close();
        });
        try {
            Path image = folder.path().resolve("image");
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(BYTES);
            }
            HostTool.find("mkfs.xfs", "xfsprogs").run(folder.path(), "-q", image.toString());
            HostTool.find("mount", "mount").run(folder.path(), "-o", "loop", image.toString(), mountPoint.toString());
            return new SmallXfs(mountPoint, AtExit.undo(() -> unmount(mountPoint, made)));
        } catch (GuestFailedException e) {
            made.close();
            throw new NoXfsException(e.getMessage());
        }
    }

    Path path() {
        return mountPoint;
    }

    @Override
    public void close() throws IOException {
        mounted.close();
    }

    private static void unmount(Path mountPoint, AtExit made) throws IOException {
        try {
            HostTool.find("umount", "mount").run(Path.of("/"), mountPoint.toString());
            made.close();
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
