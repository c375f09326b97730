package vitrine.guest.experiment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.HostTool;
import vitrine.guest.qemu.TemporaryFolder;

/// An XFS in a file, mounted for a while.
///
/// When a file on XFS is made longer by other means than a write, what was stored in its last page
/// is written to the disk, and waited for. On other file systems it is not.
final class SmallXfs implements AutoCloseable {

    private static final long BYTES = 1L << 30; // the least is 300 MB; most of it is a hole

    private final TemporaryFolder folder; // not the mount point: what is mounted is not to be deleted
    private final Path mountPoint;

    private SmallXfs(TemporaryFolder folder, Path mountPoint) {
        this.folder = folder;
        this.mountPoint = mountPoint;
    }

    /// Makes one, where temporary files go.
    ///
    /// @throws NoXfsException if it cannot be had; the message says what is missing
    static SmallXfs mount() throws NoXfsException, IOException, InterruptedException {
        TemporaryFolder folder = TemporaryFolder.named("vitrine-xfs-");
        Path mountPoint = Files.createTempDirectory("vitrine-mount-");
        try {
            Path image = folder.path().resolve("image");
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(BYTES);
            }
            HostTool.find("mkfs.xfs", "xfsprogs").run(folder.path(), "-q", image.toString());
            HostTool.find("mount", "mount").run(folder.path(), "-o", "loop", image.toString(), mountPoint.toString());
            return new SmallXfs(folder, mountPoint);
        } catch (GuestFailedException e) {
            folder.close();
            Files.delete(mountPoint);
            throw new NoXfsException(e.getMessage());
        }
    }

    Path path() {
        return mountPoint;
    }

    @Override
    public void close() throws IOException {
        try {
            HostTool.find("umount", "mount").run(folder.path(), mountPoint.toString());
            Files.delete(mountPoint);
            folder.close();
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
