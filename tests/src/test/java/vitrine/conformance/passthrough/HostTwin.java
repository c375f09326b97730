package vitrine.conformance.passthrough;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.Collectors;
import vitrine.posix.DirectoryEntry;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Takes the steps of a history as a program on the host would: by names, without anything in
/// between.
final class HostTwin implements AutoCloseable {

    private final Syscalls sys;
    private final Fd root;

    HostTwin(Syscalls sys, Path directory) throws ErrnoException {
        this.sys = sys;
        this.root = sys.openPath(directory.toString(), Fcntl.O_PATH | Fcntl.O_DIRECTORY);
    }

    @Override
    public void close() {
        root.close();
    }

    /// What the step answers, or its errno.
    String take(Step step) throws Exception {
        try (Fd directory = place(step.place())) {
            Name name = Name.of(step.name());
            return switch (step.what()) {
                case CREATE -> create(directory, name, step, 0);
                case CREATE_EXCLUSIVELY -> create(directory, name, step, Fcntl.O_EXCL);
                case MKDIR -> made(directory, name, () -> sys.mkdirat(directory, name, step.mode()));
                case FIFO -> made(directory, name, () -> sys.mknodat(directory, name, 0010000 | step.mode(), 0));
                case DEVICE -> made(directory, name, () -> sys.mknodat(directory, name, 0020000 | step.mode(), 0x103));
                case SYMLINK ->
                    made(directory, name, () -> sys.symlinkat(Name.of("to" + step.number()), directory, name));
                case LINK -> link(directory, name, step);
                case UNLINK -> done(() -> sys.unlinkat(directory, name, 0));
                case RMDIR -> done(() -> sys.unlinkat(directory, name, Fcntl.AT_REMOVEDIR));
                case RENAME -> rename(directory, name, step);
                case LIST -> list(directory);
                default -> {
                    try (Fd file = sys.openat(directory, name, Fcntl.O_PATH | Fcntl.O_NOFOLLOW, 0)) {
                        yield onFile(file, step);
                    }
                }
            };
        } catch (ErrnoException e) {
            return Errno.name(e.errno());
        }
    }

    private Fd place(String place) throws ErrnoException {
        return place.isEmpty()
                ? sys.reopen(root, Fcntl.O_PATH)
                : sys.openat(root, Name.of(place), Fcntl.O_PATH | Fcntl.O_NOFOLLOW, 0);
    }

    private String create(Fd directory, Name name, Step step, int exclusive) throws Exception {
        requireFile(directory, name, exclusive != 0);
        int flags = Fcntl.O_CREAT | Fcntl.O_RDWR | Fcntl.O_NOFOLLOW | exclusive;
        try (Fd file = sys.openat(directory, name, flags, step.mode())) {
            String made = made(directory, name, () -> {});
            sys.pwritev2(file, bytes(step.text()), 0, 0);
            return made;
        }
    }

    /// What is there and no file is refused by a file system in user space in its own words.
    private void requireFile(Fd directory, Name name, boolean exclusive) throws ErrnoException {
        if (exclusive) {
            return;
        }
        try {
            requireOpenable(sys.statxAt(directory, name, Stat.STATX_BASIC_STATS), Errno.ESTALE);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    private static void requireFile(FileStatus status) throws ErrnoException {
        requireOpenable(status, Errno.EBADF);
    }

    private static void requireOpenable(FileStatus status, int otherwise) throws ErrnoException {
        if (!Stat.isRegular(status.mode())) {
            throw new ErrnoException("open", Stat.isDirectory(status.mode()) ? Errno.EISDIR : otherwise);
        }
    }

    private String made(Fd directory, Name name, NotedLibc.Action make) throws Exception {
        make.run();
        FileStatus status = sys.statxAt(directory, name, Stat.STATX_BASIC_STATS);
        return Integer.toOctalString(status.mode()) + " " + status.nlink();
    }

    private String link(Fd directory, Name name, Step step) throws Exception {
        try (Fd other = place(step.otherPlace());
                Fd file = sys.openat(other, Name.of(step.otherName()), Fcntl.O_PATH | Fcntl.O_NOFOLLOW, 0)) {
            return made(directory, name, () -> sys.linkFd(file, directory, name));
        }
    }

    private String rename(Fd directory, Name name, Step step) throws Exception {
        try (Fd other = place(step.otherPlace())) {
            return done(() -> sys.renameat2(directory, name, other, Name.of(step.otherName()), step.renameFlags()));
        }
    }

    private String list(Fd directory) throws ErrnoException {
        try (Fd open = sys.openat(directory, Name.of("."), Fcntl.O_DIRECTORY, 0)) {
            MemorySegment buffer = Guest.memory(1 << 16);
            int size = sys.getdents64(open, buffer);
            TreeSet<String> names = new TreeSet<>();
            for (int at = 0; at < size; ) {
                DirectoryEntry entry = DirectoryEntry.read(buffer, at);
                names.add(entry.type() + " " + entry.name());
                at += entry.recordLength();
            }
            return names.toString();
        }
    }

    private String onFile(Fd file, Step step) throws Exception {
        return switch (step.what()) {
            case WRITE ->
                withOpen(file, Fcntl.O_WRONLY, open -> "" + sys.pwritev2(open, bytes(step.text()), step.offset(), 0));
            case APPEND ->
                withOpen(
                        file,
                        Fcntl.O_WRONLY | Fcntl.O_APPEND,
                        open -> "" + sys.pwritev2(open, bytes(step.text()), -1, 0));
            case READ ->
                withOpen(file, Fcntl.O_RDONLY, open -> {
                    Buffers room = Buffers.of(Guest.memory(500));
                    return ""
                            + Arrays.hashCode(room.slice(0, sys.preadv2(open, room, step.offset(), 0))
                                    .toBytes());
                });
            case OPEN_TRUNCATING -> withOpen(file, Fcntl.O_RDWR | Fcntl.O_TRUNC, _ -> "opened");
            case FALLOCATE ->
                withOpen(
                        file,
                        Fcntl.O_RDWR,
                        open -> done(() -> sys.fallocate(open, step.fallocateMode(), step.offset(), 4096)));
            case COPY ->
                withOpen(file, Fcntl.O_RDWR, open -> "" + sys.copyFileRange(open, 0, open, step.offset(), 300));
            case TRUNCATE -> {
                sys.truncate(file, step.offset());
                yield "" + status(file).size();
            }
            case CHMOD -> {
                sys.chmod(file, step.mode());
                yield "" + status(file).mode();
            }
            case CHOWN -> {
                sys.chown(file, step.number(), 100 + step.number());
                yield "" + status(file).uid();
            }
            case READLINK -> {
                if (!Stat.isSymlink(status(file).mode())) {
                    throw new ErrnoException("readlink", Errno.EINVAL);
                }
                yield new String(sys.readlink(file), StandardCharsets.UTF_8);
            }
            default -> onXattr(file, step);
        };
    }

    private String onXattr(Fd file, Step step) throws Exception {
        Name name = Name.of(step.xattr());
        Buffers room = Buffers.of(Guest.memory(200));
        return switch (step.what()) {
            case SET_XATTR ->
                done(() -> sys.setxattr(file, name, bytes(step.otherName().repeat(step.number())), step.number() % 3));
            case GET_XATTR ->
                Arrays.toString(room.slice(0, sys.getxattr(file, name, room)).toBytes());
            case LIST_XATTR ->
                Arrays.toString(sys.listxattr(file).stream()
                        .map(one -> one + "\0")
                        .collect(Collectors.joining())
                        .getBytes(StandardCharsets.UTF_8));
            case REMOVE_XATTR -> done(() -> sys.removexattr(file, name));
            default -> throw new IllegalArgumentException(step.toString());
        };
    }

    private FileStatus status(Fd file) throws ErrnoException {
        return sys.statx(file, Stat.STATX_BASIC_STATS);
    }

    private interface WithFile {
        String use(Fd open) throws Exception;
    }

    private String withOpen(Fd file, int flags, WithFile use) throws Exception {
        requireFile(status(file));
        try (Fd open = sys.reopen(file, flags)) {
            return use.use(open);
        }
    }

    private static Buffers bytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment memory = Guest.memory(bytes.length);
        memory.copyFrom(MemorySegment.ofArray(bytes));
        return Buffers.of(memory);
    }

    private static String done(NotedLibc.Action action) throws Exception {
        action.run();
        return "done";
    }
}
