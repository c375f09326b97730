package vitrine.guest.workload.fio;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Where the share is mounted in the guest. The names on a command line are those of a mounted
/// share, `/mnt/virtiofs/file`, and the guest here has nothing but the share.
///
/// @param mountPoint what all absolute names begin with
public record GuestPaths(Path mountPoint) {

    /// The mount point that was told, or else the folder that all files of these jobs are in.
    ///
    /// @param told null if it was not
    /// @throws FioUsageException if a file is not below it
    static GuestPaths of(Path told, List<FioJob> jobs) throws FioUsageException {
        List<Path> files = new ArrayList<>();
        for (FioJob job : jobs) {
            files.add(Path.of("/").resolve(job.file(0)).normalize());
        }
        Path common = told == null ? files.getFirst().getParent() : told.normalize();
        for (Path file : files) {
            while (told == null && !file.startsWith(common)) {
                common = common.getParent();
            }
            boolean relative = !jobs.get(files.indexOf(file)).file(0).startsWith("/");
            if (!relative && !file.startsWith(common)) {
                throw new FioUsageException(file + " is not below --mount-point=" + told);
            }
        }
        return new GuestPaths(common);
    }

    /// The name of a file, from the root of the share.
    ///
    /// @param name as on the command line
    Path inShare(String name) {
        Path path = Path.of(name);
        return path.isAbsolute() ? mountPoint.relativize(path.normalize()) : path.normalize();
    }

    /// The same as the guest's programs name it.
    String inGuest(String name) {
        return "/" + inShare(name);
    }
}
