package vitrine.guest.workload;

import java.util.Locale;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// Something that a program does over and over.
enum Workload {
    /// Some bytes more at the end of a file of its own.
    APPEND {
        @Override
        Step on(GuestProcess program, int process, Size size) throws ErrnoException {
            int fd = program.open("/append-" + process, Fcntl.O_WRONLY | Fcntl.O_CREAT | Fcntl.O_TRUNC, 0644);
            byte[] bytes = new byte[size.bytes()];
            return time -> program.pwrite(fd, bytes, time * bytes.length);
        }
    },
    /// stat(2) of the files of a directory, one after the other.
    LOOKUP {
        @Override
        Step on(GuestProcess program, int process, Size size) throws ErrnoException {
            String directory = "/lookup-" + process;
            makeDirectory(program, directory);
            for (int i = 0; i < size.files(); i++) {
                write(program, directory + "/" + i, new byte[0]);
            }
            return time -> program.stat(directory + "/" + time % size.files());
        }
    },
    /// A new file, and away with it.
    CREATE {
        @Override
        Step on(GuestProcess program, int process, Size size) {
            String name = "/create-" + process;
            byte[] bytes = new byte[size.bytes()];
            return _ -> {
                write(program, name, bytes);
                program.unlink(name);
            };
        }
    },
    /// Small files in many directories, each written, looked at and read.
    TREE {
        @Override
        Step on(GuestProcess program, int process, Size size) throws ErrnoException {
            String root = "/tree-" + process;
            makeDirectory(program, root);
            byte[] bytes = new byte[size.bytes()];
            return time -> {
                String directory = root + "/" + time / size.files();
                if (time % size.files() == 0) {
                    makeDirectory(program, directory);
                }
                String name = directory + "/" + time % size.files();
                write(program, name, bytes);
                int fd = program.open(name, Fcntl.O_RDONLY);
                program.read(fd, (int) program.stat(name).size());
                program.close(fd);
            };
        }
    };

    /// @param bytes of a file, or of an append
    /// @param files of a directory
    record Size(int bytes, int files) {}

    /// Does it once.
    interface Step {
        void run(long time) throws ErrnoException;
    }

    /// Makes a program ready for it.
    ///
    /// @param process the number of the program: each has files of its own
    abstract Step on(GuestProcess program, int process, Size size) throws ErrnoException;

    /// As on the command line.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static void write(GuestProcess program, String name, byte[] bytes) throws ErrnoException {
        int fd = program.open(name, Fcntl.O_WRONLY | Fcntl.O_CREAT | Fcntl.O_TRUNC, 0644);
        if (bytes.length > 0) {
            program.write(fd, bytes);
        }
        program.close(fd);
    }

    private static void makeDirectory(GuestProcess program, String name) throws ErrnoException {
        try {
            program.mkdir(name, 0755);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
        }
    }
}
