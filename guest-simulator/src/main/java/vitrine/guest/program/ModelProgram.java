package vitrine.guest.program;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import vitrine.guest.Machine;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.kernel.FileMapping;
import vitrine.guest.kernel.SetClock;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.process.ProgramMemory;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.RangeLock;

/// Performs steps in the model's guest, as `perform.c` does in a real one.
final class ModelProgram {

    /// A call that the model's kernel does not have.
    static final class CannotException extends Exception {
        private static final long serialVersionUID = 1;

        CannotException(String call) {
            super("the model has no " + call);
        }
    }

    /// An open file, and whose it is.
    private record Descriptor(GuestProcess process, int number) {}

    private final Machine machine;
    private final SetClock clock;
    private final Map<String, Descriptor> descriptors = new HashMap<>();
    private final Map<String, ProgramMemory> memories = new HashMap<>();
    private GuestProcess program;

    /// @param clock the machine's, by which sleeping takes no time
    ModelProgram(Machine machine, SetClock clock) {
        this.machine = machine;
        this.clock = clock;
        program = machine.rootProgram();
    }

    /// Performs all, and marks where each ends. What the model cannot do ends the program.
    void perform(List<String> calls, Stage stage) {
        try {
            for (String call : calls) {
                stage.mark(perform(call));
            }
        } catch (CannotException _) {
            // too few steps were seen then
        }
        descriptors.values().forEach(ModelProgram::closeQuietly);
    }

    private static void closeQuietly(Descriptor descriptor) {
        try {
            descriptor.process().close(descriptor.number());
        } catch (ErrnoException _) {
            // closed by the program
        }
    }

    private int perform(String call) throws CannotException {
        String[] parts = call.split(" = ");
        Words words = new Words(parts[parts.length - 1]);
        try {
            switch (words.call()) {
                case "sleep" -> clock.pass(Duration.ofMillis(words.number(1)));
                case "as" -> become(words.text(1));
                case "umask" -> program.umask((int) words.number(1));
                case "sync" -> program.sync();
                case "drop_caches" -> machine.kernel().dropCaches();
                case "dup" -> {
                    Descriptor of = descriptors.get(words.text(1));
                    descriptors.put(
                            parts[0], new Descriptor(of.process(), of.process().dup(of.number())));
                }
                case "mmap" -> map(parts[0], words);
                case "open" ->
                    descriptors.put(
                            parts[0], new Descriptor(program, program.open(words.text(1), (int) words.number(2), (int)
                                    words.optional(3))));
                default -> onNamesOrFiles(words);
            }
            return 0;
        } catch (ErrnoException e) {
            return e.errno();
        }
    }

    private void map(String name, Words words) throws ErrnoException {
        Descriptor file = descriptors.get(words.text(1));
        FileMapping.Use use = words.text(3).equals("MAP_PRIVATE") ? FileMapping.Use.KEEP : FileMapping.Use.SHARE;
        memories.put(name, file.process().mmap(file.number(), 0, words.number(2), use));
    }

    private void become(String who) {
        String[] ids = who.split("[:,]");
        Integer[] groups = new Integer[ids.length - 2];
        for (int i = 2; i < ids.length; i++) {
            groups[i - 2] = Integer.valueOf(ids[i]);
        }
        int uid = Integer.parseInt(ids[0]);
        program = uid == 0 ? machine.rootProgram() : machine.userProgram(uid, Integer.parseInt(ids[1]), groups);
    }

    private void onNamesOrFiles(Words words) throws ErrnoException, CannotException {
        if (memories.containsKey(words.textOr(1, ""))) {
            onMemory(words, memories.get(words.text(1)));
        } else if (descriptors.containsKey(words.textOr(1, ""))) {
            onFile(words, descriptors.get(words.text(1)));
        } else {
            onName(words, words.textOr(1, ""));
        }
    }

    private static void onMemory(Words words, ProgramMemory memory) throws ErrnoException, CannotException {
        try {
            switch (words.call()) {
                case "load" -> memory.load(words.number(2), 1);
                case "store" -> memory.store(words.number(2), new byte[] {1});
                case "msync" -> memory.msync();
                case "munmap" -> memory.close();
                default -> throw new CannotException(words.call());
            }
        } catch (BusErrorException e) {
            throw new ErrnoException(e.getMessage(), Errno.EFAULT);
        }
    }

    private void onName(Words words, String path) throws ErrnoException, CannotException {
        switch (words.call()) {
            case "stat" -> program.stat(path);
            case "lstat" -> program.lstat(path);
            case "statx" -> program.statx(path);
            case "statfs" -> program.statfs(path);
            case "truncate" -> program.truncate(path, words.number(2));
            case "chmod" -> program.chmod(path, (int) words.number(2));
            case "chown" -> program.chown(path, (int) words.number(2), (int) words.number(3));
            case "utimensat" -> program.utimens(path, null, null);
            case "mkdir" -> program.mkdir(path, (int) words.number(2));
            case "rmdir" -> program.rmdir(path);
            case "mkfifo" -> program.mknod(path, Words.FIFO | (int) words.number(2), 0);
            case "symlink" -> program.symlink(path, words.text(2));
            case "readlink" -> program.readlink(path);
            case "link" -> program.link(path, words.text(2));
            case "unlink" -> program.unlink(path);
            case "rename" -> program.rename(path, words.text(2));
            case "renameat2" -> program.rename(path, words.text(2), (int) words.number(3));
            case "setxattr" -> program.setxattr(path, words.text(2), words.bytes(3), 0);
            case "getxattr" -> program.getxattr(path, words.text(2), (int) words.number(3));
            case "listxattr" -> program.listxattr(path, (int) words.number(2));
            case "removexattr" -> program.removexattr(path, words.text(2));
            default -> throw new CannotException(words.call());
        }
    }

    private void onFile(Words words, Descriptor file) throws ErrnoException, CannotException {
        GuestProcess process = file.process();
        int fd = file.number();
        switch (words.call()) {
            case "close" -> process.close(fd);
            case "fstat" -> process.fstat(fd);
            case "read" -> process.read(fd, (int) words.number(2));
            case "pread" -> process.pread(fd, (int) words.number(2), words.number(3), (int) words.optional(4));
            case "write" -> process.write(fd, new byte[(int) words.number(2)]);
            case "pwrite" ->
                process.pwrite(fd, new byte[(int) words.number(2)], words.number(3), (int) words.optional(4));
            case "fsync" -> process.fsync(fd);
            case "syncfs" -> process.sync();
            case "poll" -> process.poll(fd, 1);
            case "getdents" -> process.getdents(fd);
            case "fdatasync" -> process.fdatasync(fd);
            case "ftruncate" -> process.ftruncate(fd, words.number(2));
            case "fallocate" -> process.fallocate(fd, (int) words.number(2), words.number(3), words.number(4));
            case "lseek" -> process.lseek(fd, words.number(2), (int) words.number(3));
            case "copy_file_range" -> {
                Descriptor to = descriptors.get(words.text(3));
                process.copyFileRange(fd, words.number(2), to.number(), words.number(4), words.number(5));
            }
            case "getflags" -> process.fileFlags(fd);
            case "flock" -> process.flock(fd, (int) words.number(2));
            case "setlk" -> process.lock(fd, lock(words));
            case "getlk" -> process.lockInTheWay(fd, lock(words));
            default -> throw new CannotException(words.call());
        }
    }

    private static RangeLock lock(Words words) throws ErrnoException {
        long start = words.number(3);
        long length = words.number(4);
        if (length < 0) {
            throw new ErrnoException("lock", Errno.EINVAL);
        }
        return new RangeLock((int) words.number(2), start, length == 0 ? RangeLock.END_OF_FILE : start + length - 1);
    }
}
