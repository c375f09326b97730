package vitrine.guest.process;

import static vitrine.posix.Errno.EBADF;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import vitrine.guest.kernel.OpenFile;
import vitrine.posix.ErrnoException;

/// A process's table of file descriptors.
final class Descriptors {

    private static final int FIRST = 3; // 0 to 2 are the terminal

    private final Map<Integer, OpenFile> files = new TreeMap<>();

    /// Gives a file the lowest free number, as POSIX wants it.
    int install(OpenFile file) {
        int fd = FIRST;
        while (files.containsKey(fd)) {
            fd++;
        }
        files.put(fd, file);
        return fd;
    }

    /// The file behind a number.
    ///
    /// @throws ErrnoException EBADF
    OpenFile get(int fd) throws ErrnoException {
        OpenFile file = files.get(fd);
        if (file == null) {
            throw new ErrnoException("file descriptor " + fd, EBADF);
        }
        return file;
    }

    /// The same, and the number is free again.
    OpenFile remove(int fd) throws ErrnoException {
        OpenFile file = get(fd);
        files.remove(fd);
        return file;
    }

    /// Whether any number stands for the file.
    boolean has(OpenFile file) {
        return files.containsValue(file);
    }

    /// The numbers in use.
    List<Integer> all() {
        return List.copyOf(files.keySet());
    }
}
