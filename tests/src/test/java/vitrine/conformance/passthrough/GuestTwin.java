package vitrine.conformance.passthrough;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.TreeSet;
import vitrine.fuse.FileRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Takes the steps of a history as a guest's kernel would: by nodeids and handles.
final class GuestTwin {

    private final Guest guest;

    GuestTwin(Guest guest) {
        this.guest = guest;
    }

    /// What the step answers, or its errno.
    String take(Step step) throws Exception {
        try {
            long directory = place(step.place());
            return switch (step.what()) {
                case CREATE -> create(directory, step, 0);
                case CREATE_EXCLUSIVELY -> create(directory, step, Fcntl.O_EXCL);
                case MKDIR -> made(guest.mkdir(directory, step.name(), step.mode()));
                case FIFO -> made(guest.mknod(directory, step.name(), 0010000 | step.mode(), 0));
                case DEVICE -> made(guest.mknod(directory, step.name(), 0020000 | step.mode(), 0x103));
                case SYMLINK -> made(guest.symlink(directory, step.name(), "to" + step.number()));
                case LINK -> link(directory, step);
                case UNLINK -> done(() -> guest.unlink(directory, step.name()));
                case RMDIR -> done(() -> guest.rmdir(directory, step.name()));
                case RENAME -> rename(directory, step);
                case LIST -> list(directory);
                default -> onFile(guest.lookup(directory, step.name()).nodeid(), step);
            };
        } catch (ErrnoException e) {
            return Errno.name(e.errno());
        }
    }

    private long place(String place) throws ErrnoException {
        return place.isEmpty() ? Guest.ROOT : guest.lookup(Guest.ROOT, place).nodeid();
    }

    private String create(long directory, Step step, int exclusive) throws Exception {
        int flags = Fcntl.O_CREAT | Fcntl.O_RDWR | exclusive;
        Guest.Created created = guest.create(directory, step.name(), flags, 0100000 | step.mode(), 0);
        guest.write(created.entry().nodeid(), created.open().fh(), 0, step.text());
        guest.release(created.entry().nodeid(), created.open().fh());
        return made(created.entry());
    }

    private static String made(EntryOut entry) {
        return Integer.toOctalString(entry.attr().mode()) + " " + entry.attr().nlink();
    }

    private String link(long directory, Step step) throws Exception {
        long from = guest.lookup(place(step.otherPlace()), step.otherName()).nodeid();
        return made(guest.link(from, directory, step.name()));
    }

    private String rename(long directory, Step step) throws Exception {
        long target = place(step.otherPlace());
        return done(() -> guest.rename(directory, step.name(), target, step.otherName(), step.renameFlags()));
    }

    private String list(long directory) throws Exception {
        long fh = guest.opendir(directory);
        TreeSet<String> names = new TreeSet<>();
        guest.readdirplus(directory, fh, 0, 1 << 16)
                .forEach(entry ->
                        names.add(entry.dirent().type() + " " + entry.dirent().name()));
        guest.release(directory, fh);
        return names.toString();
    }

    private String onFile(long node, Step step) throws Exception {
        return switch (step.what()) {
            case WRITE -> withOpen(node, Fcntl.O_WRONLY, fh -> "" + guest.write(node, fh, step.offset(), step.text()));
            case APPEND ->
                withOpen(node, Fcntl.O_WRONLY | Fcntl.O_APPEND, fh -> "" + guest.append(node, fh, 0, step.text()));
            case READ ->
                withOpen(node, Fcntl.O_RDONLY, fh -> "" + Arrays.hashCode(guest.read(node, fh, step.offset(), 500)));
            case OPEN_TRUNCATING -> withOpen(node, Fcntl.O_RDWR | Fcntl.O_TRUNC, _ -> "opened");
            case FALLOCATE ->
                withOpen(
                        node,
                        Fcntl.O_RDWR,
                        fh -> done(() -> guest.ask(new FileRequest.Fallocate(
                                guest.header(node), new FallocateIn(fh, step.offset(), 4096, step.fallocateMode())))));
            case COPY ->
                withOpen(
                        node,
                        Fcntl.O_RDWR,
                        fh -> ""
                                + guest.struct(
                                                WriteOut.class,
                                                new FileRequest.CopyFileRange(
                                                        guest.header(node),
                                                        new CopyFileRangeIn(fh, 0, node, fh, step.offset(), 300, 0)))
                                        .size());
            case TRUNCATE ->
                "" + guest.setattr(node, Setattr.size(step.offset())).size();
            case CHMOD -> "" + guest.setattr(node, Setattr.mode(step.mode())).mode();
            case CHOWN ->
                ""
                        + guest.setattr(
                                        node,
                                        Setattr.owner(
                                                step.number(), 100 + step.number(), SetattrFlag.UID, SetattrFlag.GID))
                                .uid();
            case READLINK -> new String(guest.readlink(node), StandardCharsets.UTF_8);
            default -> onXattr(node, step);
        };
    }

    private String onXattr(long node, Step step) throws Exception {
        Name name = Name.of(step.xattr());
        Buffers room = Buffers.of(Guest.memory(200));
        return switch (step.what()) {
            case SET_XATTR -> {
                byte[] value = step.otherName().repeat(step.number()).getBytes(StandardCharsets.UTF_8);
                SetxattrIn in = new SetxattrIn(value.length, step.number() % 3, false, 0);
                yield done(() ->
                        guest.ask(new XattrRequest.Setxattr(guest.header(node), in, name, Buffers.ofBytes(value))));
            }
            case GET_XATTR ->
                filled(room, guest.ask(new XattrRequest.Getxattr(guest.header(node), new GetxattrIn(200), name, room)));
            case LIST_XATTR ->
                filled(room, guest.ask(new XattrRequest.Listxattr(guest.header(node), new GetxattrIn(200), room)));
            case REMOVE_XATTR -> done(() -> guest.ask(new XattrRequest.Removexattr(guest.header(node), name)));
            default -> throw new IllegalArgumentException(step.toString());
        };
    }

    private static String filled(Buffers room, Reply reply) {
        return Arrays.toString(room.slice(0, reply.size()).toBytes());
    }

    private interface WithHandle {
        String use(long fh) throws Exception;
    }

    private String withOpen(long node, int flags, WithHandle use) throws Exception {
        long fh = guest.open(node, flags);
        try {
            return use.use(fh);
        } finally {
            guest.release(node, fh);
        }
    }

    private static String done(NotedLibc.Action action) throws Exception {
        action.run();
        return "done";
    }
}
