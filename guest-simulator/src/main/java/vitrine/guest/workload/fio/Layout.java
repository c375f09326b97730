package vitrine.guest.workload.fio;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// Makes the files that jobs need before the clock runs, as fio does: what is to be read is written
/// once, what is to be written gets its space.
final class Layout {

    private static final int CHUNK = 1 << 20;

    private final GuestProcess process;
    private final Consumer<String> say;
    private final Set<String> done = new HashSet<>();

    Layout(GuestProcess process, Consumer<String> say) {
        this.process = process;
        this.say = say;
    }

    /// @param path in the guest
    void prepare(FioJob job, String path) throws ErrnoException {
        if (!done.add(path)) {
            return;
        }
        makeDirectories(path);
        long size = size(path);
        if (size >= job.fileSize()) {
            return;
        }
        say.accept(job.name() + ": Laying out IO file (1 file / " + (job.fileSize() >> 20) + "MiB)");
        int fd = process.open(path, Fcntl.O_WRONLY | Fcntl.O_CREAT, 0644);
        try {
            preallocate(job, fd);
            if (job.access().reads()) {
                fill(fd, job.fileSize());
            }
        } finally {
            process.close(fd);
        }
    }

    /// Removes the file, if it was not removed already.
    void remove(String path) throws ErrnoException {
        if (done.remove(path)) {
            process.unlink(path);
        }
    }

    private void makeDirectories(String path) throws ErrnoException {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            try {
                process.mkdir(path.substring(0, slash), 0755);
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EEXIST) {
                    throw e;
                }
            }
        }
    }

    private long size(String path) throws ErrnoException {
        try {
            return process.stat(path).size();
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return -1;
            }
            throw e;
        }
    }

    private void preallocate(FioJob job, int fd) throws ErrnoException {
        switch (job.preallocation()) {
            case "native" -> {
                try {
                    process.fallocate(fd, 0, 0, job.fileSize());
                } catch (ErrnoException e) {
                    if (e.errno() != Errno.EOPNOTSUPP) {
                        throw e;
                    }
                    process.ftruncate(fd, job.fileSize());
                }
            }
            case "keep" -> process.fallocate(fd, Fcntl.FALLOC_FL_KEEP_SIZE, 0, job.fileSize());
            case "truncate" -> process.ftruncate(fd, job.fileSize());
            default -> {} // none
        }
    }

    private void fill(int fd, long size) throws ErrnoException {
        byte[] bytes = new byte[CHUNK];
        new Random(1).nextBytes(bytes);
        for (long at = 0; at < size; ) {
            byte[] piece = size - at >= CHUNK ? bytes : Arrays.copyOf(bytes, (int) (size - at));
            at += process.pwrite(fd, piece, at);
        }
    }
}
